import { randomUUID } from 'node:crypto';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAttempts } from '../../../../infra/operate/admin/webhooks.ts';
import { sqs } from '../../../../shared/aws.ts';
import { putItem } from '../../../../shared/table/client.ts';
import { type Delivery, parkDelivery, parkedQueueUrl } from '../../../../shared/webhooks/delivery-queue.ts';
import { readParkedDeliveries } from '../../../../shared/webhooks/parked.ts';
import { readWebhook } from '../../../../shared/webhooks/webhooks.ts';
import { admin } from '../../../support/admin.ts';
import { type Api, newOrganization, times } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { isSignedWith, type Receiver, startReceiver } from '../../../support/receiver.ts';
import { changesOn } from './actions-on.ts';

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

const webhooks = (...args: string[]) => admin('webhooks', ...args);
const why = ['--why', 'a ticket'];
const ofOperator = { operator: 'local', why: 'a ticket' };
const delivery = (id: string): Delivery => ({
  organization_id: api.organizationId,
  webhook_id: webhookId,
  event_id: id,
  event_type: 'invoke',
  attempt: 8,
});

describe('parked deliveries', () => {
  /** The parked deliveries of this file, in the order of their ids. */
  const ours = async () =>
    (await webhooks('parked')).json.deliveries
      .filter(({ organization_id }: Delivery) => organization_id === api.organizationId)
      .sort((a: Delivery, b: Delivery) => (a.event_id < b.event_id ? -1 : 1));

  test('are shown, stay visible, and begin at attempt 1 when SQS moves them back', async () => {
    await sqs().send(new SendMessageCommand({ QueueUrl: parkedQueueUrl(), MessageBody: 'no delivery' }));
    const ids = times(12, (i) => `inv_parked_${String(i).padStart(2, '0')}`);
    await Promise.all(ids.map((id) => parkDelivery(delivery(id))));
    const parked = ids.map((event_id) => ({ ...delivery(event_id), attempt: 1 }));
    for (const _ of ['looked at once', 'looked at again']) expect(await ours()).toEqual(parked);
    expect((await readParkedDeliveries(11)).length).toBe(11);
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
    await eventually(async () => {
      const attempts = await readAttempts(call!.id, undefined, Date.now());
      expect(attempts).toMatchObject([
        { url: flaky.url, attempt: 1, response_status: 503 },
        { url: flaky.url, attempt: 2, response_status: 204 },
      ]);
      expect(JSON.stringify(attempts)).not.toMatch(/payload|balance_type|CALLS#/);
    });
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
    const missed_from = Date.parse(webhook.date_created);
    await putItem({ ...webhook, receiver: { state: 'off', missed_from, ...off } });
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
        missed_from: webhook.date_created,
        ...off,
      },
    ]);
    const one = [...org, '--webhook', webhook_id];
    const refused = await webhooks('replay', '--from', '2026-01-01', ...one);
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('Switch it on first')]);
    const enabled = await webhooks('enable', ...one, ...why);
    expect(enabled.json).toEqual({ webhook_id, enabled: true, failed_since: failing_since });
    const [on] = (await webhooks('list', ...org)).json.webhooks;
    expect(on).not.toHaveProperty('disabled_at');
    expect(on).toMatchObject({ receiver: 'paused', missed_from: webhook.date_created });
    const again = await webhooks('replay', '--from', '2026-01-01', ...one);
    expect([again.code, again.error]).toEqual([
      1,
      expect.stringContaining('are replayed when it works again'),
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
    const { code, json, error } = await webhooks('replay', '--from', from, '--to', to, ...more);
    expect([code, json]).toEqual([2, undefined]);
    expect(error).toContain(message);
  });
});
