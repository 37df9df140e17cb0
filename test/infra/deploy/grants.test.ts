import { expect, test } from 'vitest';
import { authorizerAccess } from '../../../infra/deploy/endpoints.ts';
import type { Access } from '../../../shared/api/route.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { type Resource, sampleBackground, sampleRoutes, templateOf } from './support.ts';

const routes = [...allRoutes, ...sampleRoutes];
const { resources, of, all, only } = templateOf({ stage: 'staging', routes, background: sampleBackground });
const table = only('AWS::DynamoDB::Table').id;
const keys = all('AWS::KMS::Key').map(([id]) => id);
const key = keys.find((id) => id.startsWith('Key'))!;
const drawKey = keys.find((id) => id.startsWith('DrawKey'))!;
const bookKey = keys.find((id) => id.startsWith('BookKey'))!;

/** Shortens the resource of an IAM statement to a text such as `Table/index/byTime`. */
function named(resource: unknown): string {
  return JSON.stringify(resource)
    .replaceAll(/\{"Ref":"AWS::\w+"\}/g, '')
    .replaceAll(/\{"(?:Ref|Fn::GetAtt)":\[?"(\w+)"(?:,"\w+"\])?\}/g, '$1')
    .replaceAll(/\{"Fn::Join":\["",\[(.*)\]\]\}/g, '$1')
    .replaceAll(/[",:]/g, '');
}

/** Returns a function's permissions as `action on resource`, without the permission to write to the log. */
function allowed(functionName: string): string[] {
  const found = of('AWS::Lambda::Function').find(
    ({ Properties }) => Properties.FunctionName === functionName,
  );
  const role = resources[found!.Properties.Role['Fn::GetAtt'][0]] as Resource;
  expect(role.Properties.ManagedPolicyArns).toBeUndefined();
  expect(role.Properties.Policies).toHaveLength(1);
  // biome-ignore lint/suspicious/noExplicitAny: a statement of a template
  const statements: any[] = role.Properties.Policies[0].PolicyDocument.Statement;
  return statements
    .filter(({ Action }) => ![Action].flat().some((action) => action.startsWith('logs:')))
    .flatMap(({ Action, Resource, Condition }) =>
      [Action]
        .flat()
        .flatMap((action) =>
          [Resource]
            .flat()
            .map((one) => `${action} on ${named(one)}${Condition ? ` if ${named(Condition)}` : ''}`),
        ),
    )
    .sort();
}

const viaDynamodb = 'if {StringEquals{kmsViaServicedynamodb..amazonaws.com}}';
const queue = (name: string, kind = 'Queue') =>
  all('AWS::SQS::Queue').find(([id]) => id.startsWith(`Queues${name.replace('-', '')}${kind}`))![0];

/**
 * Returns the permissions for a function's access, computed without the stack's code, whose mistakes it
 * should find.
 */
function expected(access: Access) {
  const { table: actions = [], index, sends = [], parks = [] } = access;
  const { key: keyActions = [], draws, signs } = access;
  const writing = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];
  const writes = actions.some((action) => writing.includes(action));
  const ofKey = writes
    ? ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo']
    : ['Decrypt', 'DescribeKey'];
  return [
    ...actions.map((action) => `dynamodb:${action} on ${table}`),
    ...(actions.length > 0 || index ? ofKey.map((action) => `kms:${action} on ${key} ${viaDynamodb}`) : []),
    ...(index ? [`dynamodb:Query on ${table}/index/byTime`] : []),
    ...sends.map((name) => `sqs:SendMessage on ${queue(name)}`),
    ...parks.map((name) => `sqs:SendMessage on ${queue(name, 'DeadLetters')}`),
    ...keyActions.map((action) => `kms:${action} on ${key}`),
    ...(draws ? [`kms:GenerateMac on ${drawKey}`] : []),
    ...(signs ? ['GetPublicKey', 'Sign'].map((action) => `kms:${action} on ${bookKey}`) : []),
  ];
}

test.each([...routes, { name: 'authorizer', access: authorizerAccess }])(
  '$name may do what its access declares and nothing else',
  ({ name, access }) => {
    const found = allowed(`incentives-staging-${name.replaceAll('/', '-')}`);
    expect(found).toEqual(expected(access).sort());
  },
);

const sourceOf: Record<string, (id: string) => string[]> = {
  'events/sample-stream': (deadLetters) => [
    ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) => `dynamodb:${action} on ${table}`),
    `dynamodb:ListStreams on ${table}/stream/*`,
    `kms:Decrypt on ${key} ${viaDynamodb}`,
    `kms:DescribeKey on ${key} ${viaDynamodb}`,
    `sqs:SendMessage on ${deadLetters}`,
  ],
  'events/sample-queue': () =>
    ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'ChangeMessageVisibility'].map(
      (action) => `sqs:${action} on ${queue('deliveries')}`,
    ),
  'events/sample-schedule': (deadLetters) => [`sqs:SendMessage on ${deadLetters}`],
};

test.each(sampleBackground.workers)(
  '$name may do what its access declares and read its event source, and nothing else',
  ({ name, access }) => {
    const id = name.replaceAll(/[/-]/g, '');
    const [deadLetters = ''] = all('AWS::SQS::Queue').find(([one]) => one.startsWith(`Workers${id}`)) ?? [];
    const found = allowed(`incentives-staging-${name.replaceAll('/', '-')}`);
    expect(new Set(found)).toEqual(new Set([...expected(access), ...sourceOf[name]!(deadLetters)]));
  },
);

test('no role has a wildcard for actions or for a whole service', () => {
  for (const { Properties } of of('AWS::IAM::Role')) {
    for (const { PolicyDocument } of Properties.Policies ?? []) {
      for (const { Action, Resource } of PolicyDocument.Statement) {
        expect([Action].flat().join(' ')).not.toContain('*');
        expect([Resource].flat()).not.toContain('*');
      }
    }
  }
});
