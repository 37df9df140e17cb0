import { randomUUID } from 'node:crypto';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../../../infra/operate/admin/cli.ts';
import { sqs } from '../../../../shared/aws.ts';
import { put } from '../../../../shared/table/client.ts';
import { type Delivery, park, parkedUrl } from '../../../../shared/webhooks/delivery-queue.ts';
import { parkedDeliveries } from '../../../../shared/webhooks/parked.ts';
import { readWebhook } from '../../../../shared/webhooks/webhooks.ts';
import { type Api, newOrganization, times } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { isSignedWith, type Receiver, startReceiver } from '../../../support/receiver.ts';
import { changesOn } from './operations-on.ts';

let api: Api;
let receiver: Receiver;
let webhookId: string;
beforeAll(async () => {
  api = await newOrganization();
  receiver = await startReceiver();
  const { body } = await api.post('/webhooks', { callback_url: receiver.url, secret_key: 'secret' });
  webhookId = body.webhook_id;
});
afterAll(() => receiver.close());

/** Runs an admin command `webhooks …` on the tests' local stage. */
async function webhooks(...args: string[]) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await runCommand(['webhooks', ...args, '--stage', 'local'], {
    out: (text) => out.push(text),
    error: (text) => errors.push(text),
  });
  return { code, json: out.length > 0 ? JSON.parse(out.join('')) : undefined, stderr: errors.join('\n') };
}
const why = ['--why', 'a ticket'];
const ofOperator = { operator: 'local', why: 'a ticket' };
const delivery = (id: string): Delivery => ({
  organization_id: api.organizationId,
  webhook_id: webhookId,
  event_id: id,
  event_type: 'balance_updated',
  notice: {},
  attempt: 8,
});
const ours = ({ deliveries }: { deliveries: Delivery[] }) =>
  deliveries.filter(({ organization_id }) => organization_id === api.organizationId);

describe('parked deliveries', () => {
  test('are shown, and leave the queue when they are redriven, with the same ids', async () => {
    await park(delivery('evt_parked_1'));
    await park(delivery('evt_parked_2'));
    for (const _ of ['looked at once', 'looked at again']) {
      const { code, json } = await webhooks('parked');
      expect(code).toBe(0);
      expect(
        ours(json)
          .map(({ event_id }) => event_id)
          .sort(),
      ).toEqual(['evt_parked_1', 'evt_parked_2']);
      expect(ours(json)[0]).toMatchObject({
        webhook_id: webhookId,
        event_type: 'balance_updated',
        attempt: 8,
      });
    }
    const { json } = await webhooks('redrive');
    expect(json.sent_again).toBeGreaterThanOrEqual(2);
    const calls = await receiver.until(2, ({ id }) => id.startsWith('evt_parked'));
    expect(calls.map(({ id }) => id).sort()).toEqual(['evt_parked_1', 'evt_parked_2']);
    expect(ours((await webhooks('parked')).json)).toEqual([]);
  });

  test('are recorded with each organization before they are sent again', async () => {
    const mine = await newOrganization();
    const fields = { callback_url: receiver.url, secret_key: 'secret' };
    const { webhook_id } = (await mine.post('/webhooks', fields)).body;
    const ofMine = (id: string) => ({ ...delivery(id), organization_id: mine.organizationId, webhook_id });
    for (const parked of [delivery('evt_other'), ofMine('evt_mine_1'), ofMine('evt_mine_2')])
      await park(parked);
    expect((await webhooks('redrive', ...why)).code).toBe(0);
    const sent = { ...ofOperator, action: 'deliveries_redriven' };
    expect(await changesOn(mine.organizationId)).toEqual([{ ...sent, parked: { [webhook_id]: 2 } }]);
    expect(await changesOn(api.organizationId)).toContainEqual({ ...sent, parked: { [webhookId]: 1 } });
    await receiver.until(3, ({ id }) => /^evt_(other|mine)/.test(id));
  });

  test('start again at the first attempt', async () => {
    const start = new Date().toISOString();
    await park(delivery('evt_anew'));
    await webhooks('redrive');
    await eventually(async () => {
      const { body } = await api.get('/webhook/history', { start, end: new Date().toISOString() });
      const made = body.calls.filter(({ event_id }: Delivery) => event_id === 'evt_anew');
      expect(made.map(({ attempt }: Delivery) => attempt)).toEqual([1]);
    });
  });

  test('stay parked if they cannot be queued', async () => {
    await park(delivery('evt_staying'));
    vi.stubEnv('QUEUE_URL_DELIVERIES', `${process.env.QUEUE_URL_DELIVERIES}-that-is-not-there`);
    const { code } = await webhooks('redrive');
    vi.unstubAllEnvs();
    expect(code).toBe(1);
    expect(ours((await webhooks('parked')).json)).toMatchObject([{ event_id: 'evt_staying' }]);
    expect((await webhooks('redrive')).code).toBe(0);
    await receiver.until(1, ({ id }) => id === 'evt_staying');
  });
});

test('parked deliveries are shown up to a maximum, and all stay visible', async () => {
  await Promise.all(times(12, (i) => park(delivery(`evt_many_${i}`))));
  expect(await parkedDeliveries(11)).toHaveLength(11);
  expect(ours((await webhooks('parked')).json)).toHaveLength(12);
  expect((await webhooks('redrive')).code).toBe(0);
  await receiver.until(12, ({ id }) => id.startsWith('evt_many'));
});

describe('a dead letter that is not a delivery', () => {
  test('stays, and does not block the others', async () => {
    const message = { QueueUrl: parkedUrl(), MessageBody: 'no delivery' };
    await sqs().send(new SendMessageCommand(message));
    await park(delivery('evt_beside'));
    const { code, json } = await webhooks('parked');
    expect([code, ours(json).map(({ event_id }) => event_id)]).toEqual([0, ['evt_beside']]);
    expect((await webhooks('redrive')).code).toBe(0);
    const [call] = await receiver.until(1, ({ id }) => id === 'evt_beside');
    expect(call!.text).toBe('{}');
  });
});

describe('one event', () => {
  test('has its attempts listed, oldest first, without payloads', async () => {
    const mine = await newOrganization();
    let answered = 0;
    const flaky = await startReceiver(() => (answered++ === 0 ? 503 : 204));
    await mine.post('/webhooks', { callback_url: flaky.url, secret_key: 'secret' });
    const user = await mine.user();
    await mine.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: 'told' });
    const [call] = await flaky.until(2);
    const sharedFields = { url: flaky.url, event_id: call!.id, organization_id: mine.organizationId };
    for (const more of [[], ['--org', mine.organizationId]]) {
      await eventually(async () => {
        const { code, json } = await webhooks('attempts', '--event', call!.id, ...more);
        expect(code).toBe(0);
        expect(json).toMatchObject({
          count: 2,
          attempts: [
            { ...sharedFields, attempt: 1, response_status: 503 },
            { ...sharedFields, attempt: 2, response_status: 204 },
          ],
        });
        expect(JSON.stringify(json)).not.toMatch(/payload|balance_type|CALLS#/);
      });
    }
    expect((await webhooks('attempts', '--event', 'evt_none')).code).toBe(1);
    await flaky.close();
  }, 120_000);
});

describe('a webhook that failed for five days', () => {
  test('is listed without its secrets, and can be enabled', async () => {
    const mine = await newOrganization();
    const org = ['--org', mine.organizationId];
    const { webhook_id } = (
      await mine.post('/webhooks', { callback_url: receiver.url, secret_key: 'never shown' })
    ).body;
    const webhook = await readWebhook(mine.organizationId, webhook_id);
    const failing_since = '2026-01-05T12:00:00.000Z';
    const off = { failing_since, disabled_at: '2026-01-10T12:00:00.000Z', disabled_reason: 'why' };
    await put({ ...webhook, receiver: { state: 'off', ...off } });
    const { json } = await webhooks('list', ...org);
    expect(json.webhooks).toEqual([
      {
        organization_id: mine.organizationId,
        webhook_id,
        callback_url: receiver.url,
        event: 'all',
        version: 1,
        date_created: webhook.date_created,
        receiver: 'off',
        ...off,
      },
    ]);
    const one = [...org, '--webhook', webhook_id];
    const refused = await webhooks('replay', '--from', '2026-01-01', ...one);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Switch it on first')]);
    const enabled = await webhooks('enable', ...one, ...why);
    expect(enabled.json).toEqual({ webhook_id, enabled: true, failed_since: failing_since });
    const [on] = (await webhooks('list', ...org)).json.webhooks;
    expect(on).not.toHaveProperty('disabled_at');
    expect(on).toMatchObject({ behind_since: webhook.date_created, told_until: expect.any(String) });
    const again = await webhooks('replay', '--from', '2026-01-01', ...one);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('are delivered without a replay'),
    ]);
    const before = await webhooks('replay', '--from', '2026-01-01', '--to', '2026-01-05', ...one);
    expect(before.code).toBe(0);
    expect((await webhooks('enable', ...one)).json).toEqual({ webhook_id, enabled: true });
    const change = { before: { failing_since, disabled_at: off.disabled_at }, after: {} };
    expect(await changesOn(mine.organizationId)).toContainEqual({
      ...ofOperator,
      action: 'webhook_enabled',
      webhook_id,
      webhook: change,
    });
    expect(JSON.stringify((await webhooks('list')).json)).toContain(webhook_id);
  });
});

test('a delivery limit of a webhook survives a PUT, and can be removed', async () => {
  const mine = await newOrganization();
  const fields = { callback_url: 'https://hooks.example.com/', secret_key: 'secret' };
  const { webhook_id } = (await mine.post('/webhooks', fields)).body;
  const limit = (to: string) =>
    webhooks('limit', '--org', mine.organizationId, '--webhook', webhook_id, '--per-second', to, ...why);
  const listed = async () => (await webhooks('list', '--org', mine.organizationId)).json.webhooks[0];
  for (const _ of ['once', 'again']) expect((await limit('20')).json).toEqual({ webhook_id, per_second: 20 });
  await mine.put(`/webhooks/${webhook_id}`, fields);
  expect(await listed()).toMatchObject({ per_second: 20 });
  expect((await limit('off')).json).toEqual({ webhook_id, per_second: 'off' });
  expect(await listed()).not.toHaveProperty('per_second');
  const changes = [
    { before: {}, after: { per_second: 20 } },
    { before: { per_second: 20 }, after: {} },
  ];
  expect(await changesOn(mine.organizationId)).toEqual(
    changes.map((webhook) => ({ ...ofOperator, action: 'webhook_limited', webhook_id, webhook })),
  );
  for (const wrong of ['0', '1.5', 'many', '1001']) expect((await limit(wrong)).code).toBe(2);
});

describe('a leaked secret', () => {
  test('no longer signs after it is replaced and dropped', async () => {
    const mine = await newOrganization();
    const ownReceiver = await startReceiver();
    const fields = { callback_url: ownReceiver.url, secret_key: 'leaked' };
    const { webhook_id } = (await mine.post('/webhooks', fields)).body;
    const one = ['--org', mine.organizationId, '--webhook', webhook_id];
    expect((await webhooks('drop-secret', ...one)).json).toEqual({ webhook_id, dropped: 0 });
    await mine.put(`/webhooks/${webhook_id}`, { ...fields, secret_key: 'new' });
    expect((await webhooks('drop-secret', ...one, ...why)).json).toEqual({ webhook_id, dropped: 1 });
    const change = { before: { replaced_secrets: 1 }, after: { replaced_secrets: 0 } };
    expect(await changesOn(mine.organizationId)).toEqual([
      { ...ofOperator, action: 'webhook_secrets_dropped', webhook_id, webhook: change },
    ]);
    await mine.post(`/webhooks/${webhook_id}/invoke`, { hello: 1 });
    const [call] = await ownReceiver.until(1);
    expect(['leaked', 'new'].map((secret) => isSignedWith(secret, call!))).toEqual([false, true]);
    expect((await mine.get(`/webhooks/${webhook_id}`)).body.secret_key).toBe('new');
    expect((await webhooks('drop-secret', '--org', 'org_none', '--webhook', webhook_id)).code).toBe(1);
    await mine.delete(`/webhooks/${webhook_id}`);
    await ownReceiver.close();
  });
});

describe('a replayed time window', () => {
  test('publishes events again, with the same ids', async () => {
    const user = await api.user();
    const from = new Date().toISOString();
    await api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: randomUUID() });
    const to = new Date(Date.now() + 1).toISOString();
    const about = ({ payload }: { payload: { data?: { user_id: string } } }) =>
      payload.data?.user_id === user;
    const [first] = await receiver.until(1, about);
    const one = ['--org', api.organizationId];
    const { code, json } = await webhooks('replay', '--from', from, '--to', to, ...one, ...why);
    expect(await changesOn(api.organizationId)).toContainEqual({
      ...ofOperator,
      action: 'events_replayed',
      window: { from, to },
    });
    expect([code, json]).toEqual([0, { from, to, records: { [api.organizationId]: 1 } }]);
    const [, again] = await receiver.until(2, about);
    expect([again!.id, again!.text]).toEqual([first!.id, first!.text]);
    const empty = await webhooks(
      'replay',
      '--from',
      '2020-01-01',
      '--to',
      '2020-01-02',
      ...one,
      '--why',
      'nothing',
    );
    expect(empty.json.records).toEqual({ [api.organizationId]: 0 });
    expect(await changesOn(api.organizationId)).not.toContainEqual(
      expect.objectContaining({ why: 'nothing' }),
    );
    const everybody = await webhooks('replay', '--from', from, '--to', to);
    expect(everybody.json.records[api.organizationId]).toBe(1);
    await receiver.until(3, about);
    // Takes long: without an organization, `webhooks replay` replays the events of all tests' organizations in turn.
  }, 120_000);

  test.each([
    ['yesterday', '2026-01-01', 'but is "yesterday"'],
    ['2026-01-01', 'soon', 'but is "soon"'],
    ['2026-01-02', '2026-01-01', '--from must be before --to'],
    ['2026-01-01', '2026-01-02', '--webhook needs --org', '--webhook', 'wh_1'],
  ])('from %s to %s is refused', async (from, to, message, ...more) => {
    const { code, json, stderr } = await webhooks('replay', '--from', from, '--to', to, ...more);
    expect([code, json]).toEqual([2, undefined]);
    expect(stderr).toContain(message);
  });
});
