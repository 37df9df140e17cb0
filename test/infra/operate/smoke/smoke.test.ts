import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  listOrganizations,
  readOrganization,
  readSettings,
} from '../../../../infra/operate/admin/organization.ts';
import { runSmoke } from '../../../../infra/operate/smoke/cli.ts';
import { openOrganization } from '../../../../infra/operate/smoke/organization.ts';
import type { Run } from '../../../../infra/operate/smoke/step.ts';
import { steps } from '../../../../infra/operate/smoke/steps.ts';
import { readUser } from '../../../../shared/accounts/user.ts';
import { createApiKey } from '../../../../shared/operations/change-keys.ts';
import { changeSettings } from '../../../../shared/operations/change-settings.ts';
import { listApiKeys } from '../../../../shared/organizations/api-keys.ts';
import type { Stage } from '../../../../shared/stage.ts';
import { allWebhooks } from '../../../../shared/webhooks/webhooks.ts';
import { type Api, apiOf, baseUrl } from '../../../support/api.ts';
import { useOwnTable } from '../../../support/own-table.ts';
import { startReceiver } from '../../../support/receiver.ts';

const names = [
  'credentials',
  'users',
  'tickets',
  'refusals',
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

let proxy: Server | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  proxy?.closeAllConnections();
  await new Promise((closed) => (proxy ? proxy.close(closed) : closed(undefined)));
  proxy = undefined;
});

type Reply = { path: string; status: number; text: string };

/** Returns the URL of a proxy for the stage. `changeResponse` changes a response's status or text. */
async function startFaultyStage(changeResponse: (reply: Reply) => Partial<Reply>): Promise<string> {
  proxy = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request);
    const { host, connection, ...rest } = headers as Record<string, string>;
    const answer = await fetch(baseUrl + path, { method, headers: rest, ...(body.length > 0 && { body }) });
    const reply = { path, status: answer.status, text: await answer.text() };
    const { status, text } = { ...reply, ...changeResponse(reply) };
    const {
      'content-encoding': encoding,
      'content-length': length,
      ...kept
    } = Object.fromEntries(answer.headers);
    response.writeHead(status, kept).end(text);
  });
  await new Promise<void>((listening) => proxy!.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function expectNothingLive(organizationId: string) {
  const keys = await listApiKeys(organizationId);
  expect(keys.filter(({ revoked_at }) => revoked_at === undefined)).toEqual([]);
  expect(await allWebhooks(organizationId)).toEqual([]);
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
  const skipped = steps.filter(({ skip }) => skip?.({ stage, callback } as Run) !== undefined);
  expect(skipped.map(({ name }) => name)).toEqual(names);
});

test('the smoke test’s organization can win no cash, from its first run on', async () => {
  vi.stubEnv('TABLE_NAME', undefined);
  await useOwnTable('smoke');
  const context = { operator: 'test', now: Date.now() };
  const created = await openOrganization('production', context);
  expect(await readSettings(created.organizationId)).toMatchObject({ daily_cash_limit_usd: 0 });
  await changeSettings(created.organizationId, { daily_cash_limit_usd: 500 }, context);
  expect(await openOrganization('production', context)).toMatchObject({
    organizationId: created.organizationId,
  });
  expect(await readSettings(created.organizationId)).toMatchObject({ daily_cash_limit_usd: 0 });
});

describe('a faulty stage', () => {
  test.each<[string[], string, (reply: Reply) => Partial<Reply>]>([
    [
      ['tickets'],
      'the balance is 21, expected 20',
      ({ path, text }) =>
        path.endsWith('/tickets/credit')
          ? { text: text.replace('"new_ticket_balance":20', '"new_ticket_balance":21') }
          : {},
    ],
    [
      ['refusals'],
      'the response to a debit below zero is "500 internal_error", expected "400 insufficient_tickets"',
      ({ path, text }) =>
        path.endsWith('/tickets/debit')
          ? { status: 500, text: text.replace('insufficient_tickets', 'internal_error') }
          : {},
    ],
    [
      ['credentials'],
      'the response to a request without a key is "a success", expected "401 unauthorized"',
      ({ path, status }) =>
        path.includes('nobody') && status === 401 ? { status: 200, text: '{"status":"success"}' } : {},
    ],
    [
      ['stage'],
      'the status of a requested fault is 200, expected 503',
      ({ path, status }) => (path === '/webhooks' && status === 503 ? { status: 200 } : {}),
    ],
    [
      ['stage'],
      'the status of /docs is 404, expected 200',
      ({ path }) => (path === '/docs' ? { status: 404 } : {}),
    ],
    [
      ['users', 'tickets', 'refusals', 'play', 'guest spins', 'queued spins', 'histories', 'reports'],
      'not run, because there is no user',
      ({ path, status }) => (path === '/users' && status === 200 ? { status: 403, text: '<html>' } : {}),
    ],
  ])('fails at %j with a reason, and leaves nothing live', async (steps, message, changeResponse) => {
    const { code, report } = await smoke('--json', '--url', await startFaultyStage(changeResponse));
    expect(code).toBe(1);
    expect(report.ok).toBe(false);
    expect(failedOf(report)).toEqual(steps);
    expect(report.results.map(({ message }: { message: string }) => message).join('\n')).toContain(message);
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
