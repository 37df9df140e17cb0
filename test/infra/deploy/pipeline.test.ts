import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stages } from '../../../infra/deploy/stages.ts';
import { stackOf, templateOf } from './support.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'infra/deploy/pipeline');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

type Statement = {
  Sid?: string;
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, string | string[]>>;
};
const policy = (name: string) => JSON.parse(read(name)) as { Statement: Statement[] };
const listOf = (value: string | string[]) => [value].flat();

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the workflow has
type Job = any;
// Uses the YAML parser inside CDK, so that the project needs no other dependency.
const { parse } = createRequire(createRequire(import.meta.url).resolve('aws-cdk-lib'))('yaml');
const jobs: Record<string, Job> = parse(read('github-actions.yml')).jobs;
const stepsOf = (job: Job): Job[] => job.steps;
const lines = Object.values(jobs).flatMap((job) => stepsOf(job).flatMap(({ run }) => run ?? []));

describe('the pipeline', () => {
  test('checks, deploys and tests staging, shows the changes to production, and only then deploys production', () => {
    const order = Object.entries(jobs).map(([name, { needs, environment }]) => [name, needs, environment]);
    expect(order).toEqual([
      ['check', undefined, undefined],
      ['staging', 'check', 'staging'],
      ['compare', 'staging', 'production-compare'],
      ['production', 'compare', 'production'],
    ]);
    for (const stage of Object.keys(stages)) {
      const own = stepsOf(jobs[stage]).flatMap(({ run }) => run ?? []);
      const [deploy, smoke] = [
        own.indexOf(`npx cdk deploy -c stage=${stage} --require-approval never`),
        own.indexOf(`npm run smoke -- --stage ${stage}`),
      ];
      expect(deploy).toBeGreaterThan(-1);
      expect(smoke).toBeGreaterThan(deploy);
    }
  });

  test('never cancels a deploy that has begun', () => {
    expect(parse(read('github-actions.yml')).concurrency).toEqual({ group: 'deliver' });
  });

  test('calls existing scripts', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const called = lines.flatMap((line) => /^npm (?:run )?(\S+)/.exec(line)?.[1] ?? []);
    expect(called).toContain('smoke');
    for (const script of called) expect([...Object.keys(scripts), 'ci']).toContain(script);
  });

  test('pins each action to a commit, and assumes roles only in an environment', () => {
    for (const job of Object.values(jobs)) {
      const uses = stepsOf(job).flatMap(({ uses }) => uses ?? []);
      for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      const takesRole = uses.some((action) => action.includes('configure-aws-credentials'));
      expect(job.permissions?.['id-token']).toBe(takesRole ? 'write' : undefined);
      expect(job.environment !== undefined).toBe(takesRole);
    }
    expect(read('github-actions.yml')).not.toContain('secrets.');
    const { sub } = JSON.parse(read('trust.json').replaceAll('token.actions.githubusercontent.com:', ''))
      .Statement[0].Condition.StringEquals;
    expect(sub).toBe('repo:OWNER/REPOSITORY:environment:ENVIRONMENT');
  });
});

test('the deployer may assume exactly the roles that CDK assumes', () => {
  const { app } = stackOf({ stage: 'staging' });
  const assembly = app.synth();
  const texts = globSync('*.json', { cwd: assembly.directory }).map((file) =>
    readFileSync(join(assembly.directory, file), 'utf8'),
  );
  const taken = texts.join('').matchAll(/role\/(cdk-[^"]*-role)-\$\{AWS::AccountId\}-\$\{AWS::Region\}/g);
  const roles = new Set([...taken].map(([, role]) => role));
  // The deploy policy need not permit assuming this role, because only CloudFormation assumes it.
  roles.delete('cdk-hnb659fds-cfn-exec-role');
  const [statement] = policy('deploy-policy.json').Statement;
  const allowed = listOf(statement!.Resource).map((arn) => /role\/(.*)-ACCOUNT-REGION$/.exec(arn)?.[1]);
  expect(new Set(allowed)).toEqual(roles);
});

// biome-ignore lint/suspicious/noExplicitAny: a template's properties have any shape
const arnsOf: Record<string, (properties: any) => string> = {
  'AWS::CloudWatch::Alarm': ({ AlarmName }) => `arn:aws:cloudwatch:REGION:ACCOUNT:alarm:${AlarmName}`,
  'AWS::CloudWatch::Dashboard': ({ DashboardName }) =>
    `arn:aws:cloudwatch::ACCOUNT:dashboard/${DashboardName}`,
  'AWS::Lambda::Function': ({ FunctionName }) => `arn:aws:lambda:REGION:ACCOUNT:function:${FunctionName}`,
  'AWS::SQS::Queue': ({ QueueName = 'incentives-staging-Queue-1A2B' }) =>
    `arn:aws:sqs:REGION:ACCOUNT:${QueueName}`,
  'AWS::Scheduler::Schedule': ({ Name, GroupName = 'default' }) =>
    `arn:aws:scheduler:REGION:ACCOUNT:schedule/${GroupName}/${Name}`,
  'AWS::Scheduler::ScheduleGroup': ({ Name }) => `arn:aws:scheduler:REGION:ACCOUNT:schedule-group/${Name}`,
};

describe('the permissions of CloudFormation', () => {
  const templates = (['staging', 'production'] as const).map((stage) => templateOf({ stage }));
  const resources = templates.flatMap((template) => Object.values(template.resources));
  const { Statement: statements } = policy('execution-policy.json');
  const byId = (sid: string) => statements.find(({ Sid }) => Sid === sid)!;
  const servicesOf = ({ Action }: Statement) => listOf(Action).map((action) => action.split(':')[0]!);

  test('cover exactly the services of the stack', () => {
    const used = new Set(resources.map(({ Type }) => Type.split('::')[1]!.toLowerCase()));
    const allowed = statements.filter(({ Sid }) => Sid !== 'WhatBootstrapMade').flatMap(servicesOf);
    expect(new Set(allowed)).toEqual(used);
  });

  test('are limited to names with the stack’s prefix where names exist', () => {
    const named = byId('NamedAfterTheirStack');
    for (const resource of listOf(named.Resource)) expect(resource).toMatch(/[:/]incentives-\*$/);
    expect(new Set(listOf(named.Resource).map((arn) => arn.split(':')[2]))).toEqual(
      new Set(servicesOf(named)),
    );
    const given = resources.flatMap(({ Type, Properties }) =>
      ['FunctionName', 'QueueName', 'AlarmName', 'DashboardName', 'TopicName', 'RoleName', 'LogGroupName']
        .concat(Type.startsWith('AWS::Scheduler') ? 'Name' : [])
        .flatMap((field) => Properties?.[field] ?? []),
    );
    expect(given.length).toBeGreaterThan(50);
    for (const name of given.filter((name) => typeof name === 'string')) expect(name).toMatch(/^incentives-/);
  });

  test('match every named resource of the stack', () => {
    const patterns = listOf(byId('NamedAfterTheirStack').Resource).map(
      (arn) => new RegExp(`^${arn.replaceAll('*', '.*')}$`),
    );
    const arns = resources.flatMap(({ Type, Properties }) => arnsOf[Type]?.(Properties ?? {}) ?? []);
    expect(arns.length).toBeGreaterThan(100);
    expect(arns.filter((arn) => !patterns.some((pattern) => pattern.test(arn)))).toEqual([]);
  });

  test('include the roles that AWS itself makes for a domain and for multi-Region keys', () => {
    const made = statements.filter(({ Action }) => listOf(Action).includes('iam:CreateServiceLinkedRole'));
    const services = made.flatMap(({ Resource }) => listOf(Resource).map((arn) => arn.split('/')[2]));
    expect(services).toEqual(['ops.apigateway.amazonaws.com', 'mrk.kms.amazonaws.com']);
    const keys = resources.filter(({ Type }) => Type === 'AWS::KMS::Key');
    expect(keys.some(({ Properties }) => Properties.MultiRegion)).toBe(true);
  });

  test('change no key of others, and neither delete nor disable those of production', () => {
    const ofKeys = (effect: string) =>
      statements
        .filter(({ Effect }) => Effect === effect)
        .flatMap(({ Action, Condition: { StringEquals, StringLike } = {} }) =>
          listOf(Action)
            .filter((action) => /^kms:(?!(Describe|Get|List|EnableKeyRotation))/.test(action))
            .map((action) => [action, { ...StringEquals, ...StringLike }] as const),
        );
    for (const [action, condition] of ofKeys('Allow'))
      expect(Object.keys(condition), action).toEqual([
        expect.stringMatching(/^(aws:(Resource|Request)Tag\/incentives|kms:ViaService)$/),
      ]);
    const [deletes, ...others] = ofKeys('Allow').filter(([action]) => /Delet|Disable|Policy/.test(action));
    expect([deletes, others]).toEqual([
      ['kms:ScheduleKeyDeletion', { 'aws:ResourceTag/incentives': 'staging' }],
      [],
    ]);
    const inProduction = { 'aws:ResourceTag/incentives': 'production' };
    expect(ofKeys('Deny')).toEqual([
      ...['DisableKey', 'PutKeyPolicy', 'ScheduleKeyDeletion'].map((name) => [`kms:${name}`, inProduction]),
      ...['TagResource', 'UntagResource'].map((name) => [
        `kms:${name}`,
        { 'aws:ResourceTag/incentives': '*' },
      ]),
    ]);
    for (const [index, stage] of ['staging', 'production'].entries())
      for (const { Properties } of templates[index]!.of('AWS::KMS::Key'))
        expect(Properties.Tags).toEqual([{ Key: 'incentives', Value: stage }]);
  });

  test('use no key except through DynamoDB, and fit into one policy', () => {
    const opening = /^kms:(\*|Decrypt|Encrypt|GenerateDataKey|ReEncrypt|GenerateMac|Sign|CreateGrant)/;
    const opened = statements.filter(({ Action }) => listOf(Action).some((action) => opening.test(action)));
    expect(opened.map(({ Sid, Condition }) => [Sid, Condition !== undefined])).toEqual([
      ['TheKeyOfTheTable', true],
    ]);
    // IAM allows 6,144 characters per managed policy. The test leaves a margin for values longer than the
    // placeholders.
    expect(JSON.stringify(policy('execution-policy.json')).length).toBeLessThan(5000);
  });
});

test('an operator may do exactly what the commands need', () => {
  /** IAM actions that each SDK command needs. */
  const actions: Record<string, string[]> = {
    Get: ['dynamodb:GetItem'],
    BatchGet: ['dynamodb:BatchGetItem'],
    Put: ['dynamodb:PutItem'],
    Update: ['dynamodb:UpdateItem'],
    BatchWrite: ['dynamodb:BatchWriteItem'],
    Query: ['dynamodb:Query'],
    TransactWrite: ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(
      (of) => `dynamodb:${of}`,
    ),
    GetQueueAttributes: ['sqs:GetQueueAttributes'],
    SendMessage: ['sqs:SendMessage'],
    SendMessageBatch: ['sqs:SendMessage'],
    ReceiveMessage: ['sqs:ReceiveMessage'],
    ChangeMessageVisibilityBatch: ['sqs:ChangeMessageVisibility'],
    DescribeAlarms: ['cloudwatch:DescribeAlarms'],
    DescribeStacks: ['cloudformation:DescribeStacks'],
    ListStacks: ['cloudformation:ListStacks'],
    ListStackResources: ['cloudformation:ListStackResources'],
    CreateSchedule: ['scheduler:CreateSchedule', 'iam:PassRole'],
    GenerateMac: ['kms:GenerateMac'],
    Sign: ['kms:Sign'],
    GetPublicKey: ['kms:GetPublicKey'],
    // Data keys encrypt webhook secrets, which no command reads or writes.
    GenerateDataKey: [],
    Decrypt: [],
    // AWS allows this call without an IAM permission.
    GetCallerIdentity: [],
  };
  const text = filesOf(
    'infra/operate/admin/main.ts',
    'infra/operate/smoke/main.ts',
    'infra/operate/console/main.ts',
  );
  const commands = [...text.matchAll(/\b(?:new (\w+)Command|paginate(\w+))\(/g)].map(
    ([, command, paginated]) => command ?? paginated!,
  );
  const needed = commands.flatMap((name) => actions[name] ?? `? ${name}`);
  const allowed = policy('operator-policy.json')
    .Statement.filter(({ Sid }) => Sid !== 'ItsKeyByDynamodbAlone')
    .flatMap(({ Action }) => listOf(Action));
  expect(new Set(allowed)).toEqual(new Set(needed));
});

test('people on call may do what the runbooks say', () => {
  /** IAM actions that each command of the AWS CLI needs. A restore also writes to its new table. */
  const actions: Record<string, string> = {
    'sqs purge-queue': 'sqs:PurgeQueue',
    'sqs start-message-move-task': 'sqs:StartMessageMoveTask',
    'apigateway flush-stage-authorizers-cache': 'apigateway:DELETE',
    'dynamodb restore-table-to-point-in-time': 'dynamodb:RestoreTableToPointInTime',
    'dynamodb wait': 'dynamodb:DescribeTable',
    'dynamodb update-table': 'dynamodb:UpdateTable',
    'dynamodb update-time-to-live': 'dynamodb:UpdateTimeToLive',
    'dynamodb update-continuous-backups': 'dynamodb:UpdateContinuousBackups',
    'dynamodb describe-table': 'dynamodb:DescribeTable',
  };
  const runbooks = ['infra/deploy/README.md', 'infra/deploy/workers.ts', 'infra/deploy/restore.md'];
  const text = runbooks.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const commands = [...text.matchAll(/\baws ([a-z]+ [a-z-]+)/g)].map(([, command = '']) => command);
  expect(new Set(commands)).toEqual(new Set(Object.keys(actions)));
  const may = policy('on-call-policy.json').Statement.flatMap(({ Action }) => listOf(Action));
  for (const command of commands) expect(may).toContain(actions[command]);
});

test('who only reads has no key of draws or books, and can write nothing', () => {
  const { Statement: read } = policy('reader-policy.json');
  const may = read.flatMap(({ Action }) => listOf(Action));
  const ofOperators = policy('operator-policy.json').Statement.flatMap(({ Action }) => listOf(Action));
  expect(may.filter((action) => !ofOperators.includes(action))).toEqual([]);
  const reading = /:(BatchGet|Get|Query|Describe)/;
  expect(may.filter((action) => !reading.test(action))).toEqual(['kms:Decrypt']);
  const ofKeys = read.filter(({ Action }) => listOf(Action).some((action) => action.startsWith('kms:')));
  expect(ofKeys.map(({ Resource, Condition }) => [Resource, Condition])).toEqual([
    ['KEY_ARN', { StringEquals: { 'kms:ViaService': 'dynamodb.REGION.amazonaws.com' } }],
  ]);
});

test.each(['operator-policy.json', 'reader-policy.json', 'on-call-policy.json'])(
  'the permissions of %s are limited to the stage',
  (name) => {
    const { Statement: statements } = policy(name);
    // AWS allows no narrower resource for these actions.
    const unlimited =
      /^(cloudformation:ListStacks|cloudwatch:(DescribeAlarms|GetMetricData|ListDashboards|ListMetrics)|logs:(DescribeLog(Groups|Streams)|GetQueryResults))$/;
    const limited = statements.filter(
      ({ Action }) => !listOf(Action).every((action) => unlimited.test(action)),
    );
    const ofStage =
      /^(arn:aws:\w+:(REGION)?:ACCOUNT:([\w-]+[/:])?incentives-STAGE([-/].*)?|arn:aws:apigateway:REGION::\/restapis\/\*\/stages\/STAGE\/.*|[A-Z_]+_ARN)$/;
    for (const arn of limited.flatMap(({ Resource }) => listOf(Resource))) expect(arn).toMatch(ofStage);
  },
);

test('an operator uses the table’s key only through DynamoDB, and a schedule’s role only for schedules', () => {
  const limited = policy('operator-policy.json').Statement;
  const conditions = limited.flatMap(({ Action, Condition }) => (Condition ? [[Action, Condition]] : []));
  expect(conditions).toEqual([
    [
      expect.arrayContaining(['kms:Decrypt', 'kms:Encrypt']),
      { StringEquals: { 'kms:ViaService': 'dynamodb.REGION.amazonaws.com' } },
    ],
    ['iam:PassRole', { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } }],
  ]);
});

/** Returns the joined source of the files `first` and of all project files that they import, directly or indirectly. */
function filesOf(...first: string[]): string {
  const texts = new Map<string, string>();
  const open = [...first];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (texts.has(file) || !existsSync(join(root, file))) continue;
    const text = readFileSync(join(root, file), 'utf8');
    texts.set(file, text);
    for (const [, path = ''] of text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)'/gm)) {
      open.push(normalize(join(file, '..', path)));
    }
  }
  return [...texts.values()].join('\n');
}
