import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  listOrganizations,
  readOrganization,
  readSettings,
} from '../../../../infra/operate/admin/organization.ts';
import { runSmoke } from '../../../../infra/operate/smoke/cli.ts';
import { prepareOrganization } from '../../../../infra/operate/smoke/organization.ts';
import type { Run } from '../../../../infra/operate/smoke/step.ts';
import { smokeSteps } from '../../../../infra/operate/smoke/steps.ts';
import { readUser } from '../../../../shared/accounts/user.ts';
import { createApiKey } from '../../../../shared/actions/change-keys.ts';
import { changeSettings } from '../../../../shared/actions/change-settings.ts';
import { listApiKeys } from '../../../../shared/organizations/api-keys.ts';
import type { Stage } from '../../../../shared/stage.ts';
import { readWebhooks } from '../../../../shared/webhooks/webhooks.ts';
import { type Api, apiOf, baseUrl } from '../../../support/api.ts';
import { useOwnTable } from '../../../support/own-table.ts';
import { startReceiver } from '../../../support/receiver.ts';
import { type Served, serve } from '../../../support/serve.ts';

const names = [
  'credentials',
  'users',
  'tickets',
  'play',
  'guest spins',
  'queued spins',
  'histories',
  'reports',
  'webhook',
  'stage',
  'stand-in day',
  'clean-up',
];

/** Runs the command `smoke` on the tests' local stage. */
async function smoke(...args: string[]) {
  const texts = { out: '', error: '' };
  const code = await runSmoke(['--stage', 'local', ...args], {
    out: (text) => {
      texts.out += text;
    },
    error: (text) => {
      texts.error += text;
    },
  });
  return { code, ...texts, report: texts.out.startsWith('{') ? JSON.parse(texts.out) : undefined };
}

const failedOf = (report: { results: { step: string; result: string }[] }) =>
  report.results.filter(({ result }) => result === 'failed').map(({ step }) => step);

let proxy: Served | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await proxy?.close();
  proxy = undefined;
});

/** A response of the stage, with the request that it answers. */
type Reply = {
  method: string;
  path: string;
  sent: Record<string, string>;
  body: string;
  status: number;
  headers: Record<string, string>;
  text: string;
};
type Change = (reply: Reply) => Partial<Reply>;

/** Returns the URL of a proxy for the stage. Each of `changes` changes a response's status, headers or text. */
async function startFaultyStage(...changes: Change[]): Promise<string> {
  proxy = await serve(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request);
    const { host, connection, ...sent } = headers as Record<string, string>;
    const answer = await fetch(baseUrl + path, { method, headers: sent, ...(body.length > 0 && { body }) });
    const {
      'content-encoding': encoding,
      'content-length': length,
      ...kept
    } = Object.fromEntries(answer.headers);
    // Play URLs must lead to the proxy, too.
    const text = (await answer.text()).replaceAll(baseUrl, `http://${host}`);
    let reply = {
      method,
      path,
      sent,
      body: String(body),
      status: answer.status,
      headers: kept,
      text,
    } as Reply;
    for (const change of changes) reply = { ...reply, ...change(reply) };
    response.writeHead(reply.status, reply.headers).end(reply.text);
  });
  return proxy.url;
}

async function expectNothingLive(organizationId: string) {
  const keys = await listApiKeys(organizationId);
  expect(keys.filter(({ revoked_at }) => revoked_at === undefined)).toEqual([]);
  expect(await readWebhooks(organizationId)).toEqual([]);
  expect(await readOrganization(organizationId)).toMatchObject({ suspended: true, live_keys: 0 });
  expect(await readSettings(organizationId)).toMatchObject({ daily_cash_limit_usd: 0 });
}

describe('a healthy stage', () => {
  test('is tested end to end with the same organization each time, and nothing is left live', async () => {
    const receiver = await startReceiver();
    const { code, report } = await smoke('--json', '--callback', receiver.url);
    await receiver.close();
    expect(report).toMatchObject({ stage: 'local', address: baseUrl, ok: true });
    expect(report.results.map(({ step }: { step: string }) => step)).toEqual(names);
    expect(failedOf(report)).toEqual([]);
    expect(code).toBe(0);
    expect(receiver.calls).toHaveLength(1);
    await expectNothingLive(report.organization_id);

    // Creates what a killed smoke test leaves: a valid API key, a webhook and a queued free spin.
    const context = { operator: 'test', now: Date.now() };
    await changeSettings(report.organization_id, { suspended: false }, context);
    const newKey = () => createApiKey(report.organization_id, 'local', context);
    const [used, left] = [await newKey(), await newKey()].map((key) =>
      apiOf(report.organization_id, key),
    ) as [Api, Api];
    const { body: user } = await used.post('/users', { external_reference: 'smoke' });
    await used.post('/webhooks', { callback_url: receiver.url, secret_key: 'secret' });
    await used.post(`/users/${user.user_id}/game/queue`, { num_of_spins: 1, idempotency_key: 'queue' });
    expect(await readUser(report.organization_id, user.user_id)).toMatchObject({ queued_spins: 1 });
    const again = await smoke();
    expect(again.code).toBe(0);
    expect(again.out).toContain('ok       tickets: credited once for two identical requests\n');
    expect(again.out).toContain('skipped  webhook: needs --callback');
    expect(again.out).not.toContain('inc_local_');
    expect((await left.get('/users', { external_reference: 'nobody' })).status).toBe(401);
    const named = (await listOrganizations()).filter(({ name }) => String(name).startsWith('Smoke test'));
    expect(named.map(({ organization_id }) => organization_id)).toEqual([report.organization_id]);
    await expectNothingLive(report.organization_id);
    expect(await readUser(report.organization_id, user.user_id)).toMatchObject({ queued_spins: 0 });
  });
});

test.each<[Stage, string | undefined, string[]]>([
  ['local', undefined, ['webhook']],
  ['staging', undefined, ['webhook']],
  ['staging', 'https://example.com', []],
  ['production', undefined, ['webhook', 'stand-in day']],
  ['production', 'https://example.com', ['stand-in day']],
])('the test of %s with the receiver %s skips only the steps %j', (stage, callback, names) => {
  const skipped = smokeSteps.filter(({ skip }) => skip?.({ stage, callback } as Run) !== undefined);
  expect(skipped.map(({ name }) => name)).toEqual(names);
});

test('the smoke test’s organization can win no cash, from its first run on', async () => {
  vi.stubEnv('TABLE_NAME', undefined);
  await useOwnTable('smoke');
  const context = { operator: 'test', now: Date.now() };
  const created = await prepareOrganization('production', context);
  expect(await readSettings(created.organizationId)).toMatchObject({ daily_cash_limit_usd: 0 });
  await changeSettings(created.organizationId, { daily_cash_limit_usd: 500 }, context);
  expect(await prepareOrganization('production', context)).toMatchObject({
    organizationId: created.organizationId,
  });
  expect(await readSettings(created.organizationId)).toMatchObject({ daily_cash_limit_usd: 0 });
});

describe('a faulty stage', () => {
  const changed =
    (isAt: (reply: Reply) => boolean, to: Partial<Reply> | ((reply: Reply) => Partial<Reply>)): Change =>
    (reply) =>
      isAt(reply) ? (typeof to === 'function' ? to(reply) : to) : {};

  test('fails as a whole, with a reason, and leaves nothing live', async () => {
    const isCredit = ({ path }: Reply) => path.endsWith('tickets/credit');
    const fault = changed(isCredit, ({ text }) => ({ text: text.replace('balance":20', 'balance":21') }));
    const { code, report } = await smoke('--json', '--url', await startFaultyStage(fault));
    expect([code, report.ok, failedOf(report)]).toEqual([1, false, ['tickets']]);
    expect(JSON.stringify(report)).toContain('the balance is 21, expected 20');
    await expectNothingLive(report.organization_id);
  });

  test('of which no user can be created, fails at each step that needs one', async () => {
    const url = await startFaultyStage(
      changed(({ path, status }) => path === '/users' && status === 200, { status: 403, text: '<html>' }),
    );
    const { report } = await smoke('--json', '--url', url);
    expect(failedOf(report)).toEqual([
      'users',
      'tickets',
      'play',
      'guest spins',
      'queued spins',
      'histories',
      'reports',
    ]);
    expect(JSON.stringify(report)).toContain('not run, because there is no user');
    await expectNothingLive(report.organization_id);
  });
});

test('a receiver that refuses webhooks fails the run', async () => {
  const receiver = await startReceiver(() => 500);
  const { code, report } = await smoke('--json', '--callback', receiver.url);
  await receiver.close();
  expect([code, failedOf(report)]).toEqual([1, ['webhook']]);
  expect(JSON.stringify(report)).toContain('the webhook receiver responded 500');
  await expectNothingLive(report.organization_id);
});

test('an address without a server is reported', async () => {
  const { code, report } = await smoke('--json', '--url', 'http://127.0.0.1:9');
  expect(code).toBe(1);
  expect(report.results[0]).toMatchObject({
    step: 'credentials',
    message: expect.stringMatching(/: no answer$/),
  });
  await expectNothingLive(report.organization_id);
});

describe('bad usage', () => {
  test.each([
    [['--stage', 'moon'], '--stage must be one of local, staging, production.'],
    [
      ['--callback', 'example.com'],
      '--callback must be an address that begins with https://, but is "example.com"',
    ],
    [
      ['--url', 'file:///etc/passwd'],
      '--url must be an address that begins with https://, but is "file:///etc/passwd"',
    ],
    [['--fast'], "Unknown option '--fast'"],
  ])('%j is reported, and nothing is tested', async (args, message) => {
    const { code, out, error } = await smoke(...args);
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(message);
    expect(error).toContain('npm run smoke -- --stage');
  });
});
