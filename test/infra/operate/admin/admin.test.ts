import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { drawKeyArn } from '../../../../infra/develop/local/aws/kms.ts';
import { runCommand } from '../../../../infra/operate/admin/cli.ts';
import { explainError } from '../../../../infra/operate/admin/explain-error.ts';
import { faultRefusals } from '../../../../shared/refusals.ts';
import { Throttled, tableClient } from '../../../../shared/table/client.ts';
import { actionsByTime } from '../../../../shared/table/keys.ts';
import { readRange } from '../../../../shared/table/ranges.ts';
import { dayOf } from '../../../../shared/time.ts';
import { apiOf, newOrganization } from '../../../support/api.ts';
import { watchingCalls } from '../../../support/calls.ts';
import { serve } from '../../../support/serve.ts';
import { stage } from '../../../support/stage.ts';
import { actionsOn } from './actions-on.ts';

const main = join(import.meta.dirname, '../../../../infra/operate/admin/main.ts');
const base = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  AWS_EC2_METADATA_DISABLED: 'true',
  NO_COLOR: '1',
};
const withTable = {
  ...base,
  TABLE_NAME: stage.tableName,
  AWS_ENDPOINT_URL_DYNAMODB: stage.dynamodbEndpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_KMS: process.env.AWS_ENDPOINT_URL_KMS,
  DRAW_KEY_ARN: drawKeyArn,
};

/** Runs an admin command in a new process, with only the environment variables `env`. */
async function spawned(args: string[], env: Record<string, string | undefined>) {
  const run = promisify(execFile)(process.execPath, [main, ...args], { env: env as NodeJS.ProcessEnv });
  const ended = await run.catch((error: { stdout: string; stderr: string; code: number }) => error);
  const { stdout, stderr, code = 0 } = ended as { stdout: string; stderr: string; code?: number };
  return { code, stderr, json: stdout ? JSON.parse(stdout) : undefined };
}

/** Runs an admin command in this process, on the tests' local stage. */
async function admin(args: string[]) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await runCommand(args, {
    out: (text) => stdout.push(text),
    error: (text) => stderr.push(text),
  });
  return {
    code,
    stdout: stdout.join(''),
    stderr: stderr.join(''),
    json: /^[[{]/.test(stdout.join('')) ? JSON.parse(stdout.join('')) : undefined,
  };
}
const local = ['--stage', 'local'];

describe('help', () => {
  test.each([[['help']], [['--help']], [['help', 'key']], [['key', '--help']]])(
    'is printed as a result, so that it can be piped: %j',
    async (args) => {
      const { code, stdout, stderr } = await admin(args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('npm run admin -- key revoke --org <organization id> --key <key id>');
      expect(stdout.includes('org create')).toBe(!args.includes('key'));
    },
  );
});

test('the error after too many conflicts says that nothing was done', () => {
  expect(explainError(new Throttled())).toMatch(/Run it again/);
  expect(explainError(faultRefusals.unavailable())).toMatch(/^Nothing was done: .* Run it again\.$/);
});

describe('organizations and keys', () => {
  test('a new organization and its key work over HTTP', async () => {
    const { code, json, stderr } = await spawned(['org', 'create', '--name', 'Acme', ...local], withTable);
    expect(code).toBe(0);
    expect(stderr).toContain(stage.tableName);
    const api = apiOf(json.organization_id, json.api_key);
    expect((await api.post('/users', { external_reference: 'first' })).status).toBe(200);
  });

  test('keys are rotated: at most two are live', async () => {
    const { organizationId, apiKey } = await newOrganization();
    const org = ['--org', organizationId, ...local];
    const second = await admin(['key', 'create', ...org]);
    const reader = apiOf(organizationId, second.json.api_key);
    expect((await reader.get('/users', { external_reference: 'nobody' })).status).toBe(404);

    const third = await admin(['key', 'create', ...org]);
    expect(third).toMatchObject({ code: 1, stdout: '' });
    expect(third.stderr).toContain('revoke one first');

    const [, , firstId = ''] = apiKey.split('_');
    const revoked = await admin(['key', 'revoke', '--key', firstId, ...org]);
    expect(revoked.json).toEqual({ organization_id: organizationId, key_id: firstId, revoked: true });
    const { status } = await apiOf(organizationId, apiKey).get('/users', { external_reference: 'nobody' });
    expect(status).toBe(401);
    const again = await admin(['key', 'revoke', '--key', firstId, ...org]);
    expect(again.stderr).toContain(`no live key ${firstId} in organization ${organizationId}`);

    const { json } = await admin(['key', 'list', ...org]);
    expect(json.keys).toMatchObject([{ key_id: firstId, revoked_at: expect.any(String) }, {}]);
    expect(json.keys[1]).not.toHaveProperty('revoked_at');
    expect(JSON.stringify(json)).not.toContain('secret');
  });
});

test('a command dates its record when it makes it, and not when it began', async () => {
  const { organizationId } = await newOrganization();
  vi.useFakeTimers({ toFake: ['Date'] });
  const later = Date.now() + 2 * 3_600_000;
  const limit = () => admin(['game', 'limits', '--daily-spins', '7', '--org', organizationId, ...local]);
  await watchingCalls(tableClient, limit, (_, index) => {
    // The first call was for the current time.
    if (index === 1) vi.setSystemTime(later);
    return undefined;
  }).finally(() => vi.useRealTimers());
  const [, limited] = await actionsOn(organizationId);
  expect(Date.parse(limited!.date_created)).toBeGreaterThanOrEqual(later);
});

describe('errors are printed only on stderr:', () => {
  test.each([
    ['no command', [], 2, 'org create'],
    ['an unknown noun', ['org2', 'create'], 2, 'There is no command "org2"'],
    ['help on an unknown noun', ['help', 'org2'], 2, 'There is no command "org2"'],
    ['no verb', ['org'], 2, 'Name a command of "org"'],
    ['an unknown verb', ['org', 'constructor', ...local], 2, 'There is no command "org constructor"'],
    ['a missing option', ['org', 'create', ...local], 2, '--name is missing'],
    ['an empty option', ['org', 'create', '--name', '', ...local], 2, '--name is empty'],
    ['an unknown option', ['org', 'create', '--name', 'x', '--nam', 'y', ...local], 2, '--nam'],
    [
      'no stage',
      ['org', 'create', '--name', 'x'],
      2,
      '--stage is missing. Choose one of: local, staging, production.',
    ],
    ['an unknown stage', ['org', 'create', '--name', 'x', '--stage', 'prod'], 2, 'no stage "prod"'],
    [
      'an unknown organization',
      ['user', 'find', '--org', 'org_x', '--user', 'usr_x', ...local],
      1,
      'There is no organization org_x.',
    ],
  ])('%s', async (_, args, code, message) => {
    const answer = await admin(args);
    expect(answer).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(answer.stderr).not.toContain('    at ');
  });

  test('an unknown option, with the usage of its command only', async () => {
    const { stderr } = await admin(['game', 'limits', '--org', 'org_x', '--daily-spin', '5', ...local]);
    expect(stderr).toMatch(
      /^Unknown option '--daily-spin'.*\n\n {2}npm run admin -- game limits --org .+\n.+$/,
    );
    expect(stderr).toContain('[--daily-spins <');
  });

  test('missing credentials, and a missing region', async () => {
    const list = ['key', 'list', '--org', 'org_x', '--stage', 'staging'];
    const [nobody, nowhere] = await Promise.all([
      spawned(list, { ...base, AWS_REGION: 'us-east-1' }),
      spawned(list, base),
    ]);
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('No AWS credentials') });
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('AWS_REGION') });
  });
});

describe('a deployed stage', () => {
  const arn = 'arn:aws:sts::123456789012:assumed-role/operator/ana';
  const identity = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
    <GetCallerIdentityResult><Arn>${arn}</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`;

  /** Starts a fake server for CloudFormation and STS, which records its requests. */
  async function cloudformation(status: number, xml: string) {
    const asked: string[] = [];
    const { url, close } = await serve(async (request, response) => {
      const asking = String((await request.toArray()).join(''));
      asked.push(asking);
      if (asking.includes('Action=GetCallerIdentity')) return response.end(identity);
      return response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
    });
    const { TABLE_NAME, DRAW_KEY_ARN, ...env } = withTable;
    const endpoints = { AWS_ENDPOINT_URL_CLOUDFORMATION: url, AWS_ENDPOINT_URL_STS: url };
    return { asked, close, env: { ...env, ...endpoints } };
  }

  /** Returns CloudFormation's description of a stack with a table. */
  const outputs = (tableName: string) =>
    `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member>
      <StackName>incentives-staging</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>
      <Outputs><member><OutputKey>TableName</OutputKey><OutputValue>${tableName}</OutputValue></member>
        <member><OutputKey>DrawKeyArn</OutputKey><OutputValue>${drawKeyArn}</OutputValue></member></Outputs>
    </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

  test("is found by its stack's outputs", async () => {
    const { asked, close, env } = await cloudformation(200, outputs(stage.tableName));
    const { code, json } = await spawned(['org', 'create', '--name', 'Acme', '--stage', 'staging'], env);
    await close();
    expect(code).toBe(0);
    const [opened] = await readRange(actionsByTime(json.organization_id));
    expect(opened).toMatchObject({ action: 'opened', operator: arn });
    expect(json.api_key).toMatch(/^inc_staging_/);
    expect(asked.join('')).toContain('StackName=incentives-staging');
  });

  test('reads another table with the keys of its stack, as the guide on restores asks for', async () => {
    const { organizationId } = await newOrganization();
    const { close, env } = await cloudformation(200, outputs('replaced-the-damaged-table'));
    const damaged = { ...env, TABLE_NAME: stage.tableName };
    const day = dayOf(Date.now());
    const period = ['--from', day, '--to', day, '--at-least', '1'];
    const { code, json, stderr } = await spawned(
      ['report', 'winners', '--org', organizationId, ...period, '--stage', 'production'],
      damaged,
    );
    await close();
    expect(stderr).toBe(`Using the table ${stage.tableName} from TABLE_NAME.\n`);
    expect([code, json.rows]).toEqual([0, []]);
  });

  test('is reported if it is not deployed', async () => {
    const { close, env } = await cloudformation(
      400,
      `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type><Code>ValidationError</Code>
        <Message>Stack with id incentives-production does not exist</Message></Error></ErrorResponse>`,
    );
    const { code, stderr } = await spawned(['key', 'list', '--org', 'org_x', '--stage', 'production'], env);
    await close();
    expect(code).toBe(1);
    expect(stderr).toContain('npx cdk deploy -c stage=production');
  });
});
