import { beforeEach, expect, test } from 'vitest';
import type { HistoryRecord } from '../../shared/accounts/records.ts';
import { tableClient } from '../../shared/table/client.ts';
import type { WebhookCall } from '../../shared/webhooks/calls.ts';
import { deliverAll } from '../../shared/webhooks/delivery.ts';
import type { Delivery } from '../../shared/webhooks/delivery-queue.ts';
import { eventsOf } from '../../shared/webhooks/events.ts';
import { pausedIfDue } from '../../shared/webhooks/receiver.ts';
import { changeReceiver, readWebhook, registerWebhook } from '../../shared/webhooks/webhooks.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { useDeliveryQueue } from '../support/delivery-queue.ts';
import { useOwnTable } from '../support/own-table.ts';
import { transactionOf, userOf, type Written, writeRecords } from '../support/records.ts';

const hour = 3_600_000;
const start = Date.now() - 200 * hour;
const fields = { callback_url: 'https://hooks.example.com/failing', secret_key: 'secret' };
const { queue, ...deliveries } = await useDeliveryQueue();
await useOwnTable('health');
let api: Api;
let webhookId: string;
let calls: WebhookCall[];
let record: Written;

beforeEach(async () => {
  api = await newOrganization();
  calls = [];
  webhookId = (await registerWebhook(api.organizationId, fields, start - hour)).webhook_id;
  record = (await transactionOf(userOf(api.organizationId, 'usr_1'), 'tickets', start)).record as Written;
  await writeRecords([record]);
});

const delivery = (more: Partial<Delivery> = {}): Delivery => ({
  organization_id: api.organizationId,
  webhook_id: webhookId,
  event_id: eventsOf(record as HistoryRecord)[0]!.id,
  event_type: 'balance_updated',
  record: { user_id: 'usr_1', list: 'tickets', ulid: String(record.transaction_id).slice(4) },
  attempt: 2,
  ...more,
});
/** Attempts deliveries at `atHour` hours after the test's start, with a receiver that responds with `status`. */
async function attempt(status: number, atHour: number, ...some: Delivery[]) {
  queue.purge();
  const deps = { ...deliveries.deps(async () => ({ status }), calls), now: () => start + atHour * hour };
  await deliverAll(some, deps);
}
const stored = () => readWebhook(api.organizationId, webhookId);
const read = async () => (await api.get(`/webhooks/${webhookId}`)).body;
const isoAt = (atHour: number) => new Date(start + atHour * hour).toISOString();

test('the first repeated failure is shown as failing_since, until a success', async () => {
  await attempt(500, 0, delivery({ attempt: 1 }));
  expect(await read()).not.toHaveProperty('failing_since');
  await attempt(500, 1, delivery());
  await attempt(500, 1.001, delivery());
  expect(await read()).toMatchObject({ failing_since: isoAt(1) });
  await attempt(204, 2, delivery({ attempt: 1, probe: true }));
  expect(await read()).not.toHaveProperty('failing_since');
});

test('later attempts of an event tell of the event, not of the receiver', async () => {
  for (const number of times(6, (i) => i + 3)) await attempt(500, number, delivery({ attempt: number }));
  expect(await stored()).not.toHaveProperty('receiver');
});

test('a delivery costs no write of the webhook, except the first failure and the first success', async () => {
  const writes = async (status: number) => {
    const run = () => attempt(status, 1, ...times(10, () => delivery()));
    const { calls: made } = await watchingCalls(tableClient, run);
    return made.filter(({ operation }) => !/^(Get|BatchGet|Query)/.test(operation)).length;
  };
  for (const [status, expected] of [
    [204, 0],
    [500, 1],
    [500, 0],
    [204, 1],
    [204, 0],
  ] as const)
    expect(await writes(status)).toBe(expected);
});

test('a failure is stored together with what a host changes at the same time, and not if it deletes', async () => {
  const callback_url = 'https://hooks.example.com/moved';
  const changes = [() => api.put(`/webhooks/${webhookId}`, { ...fields, callback_url })];
  const once = async ({ operation }: { operation: string }) =>
    void (operation === 'PutItem' && (await changes.shift()?.()));
  await watchingCalls(tableClient, () => attempt(500, 1, delivery()), once);
  expect(await stored()).toMatchObject({ callback_url, receiver: { failing_since: isoAt(1) }, version: 3 });
  changes.push(() => api.delete(`/webhooks/${webhookId}`));
  await watchingCalls(tableClient, () => attempt(204, 2, delivery()), once);
  await expect(stored()).rejects.toMatchObject({ code: 'webhook_not_found' });
});

test('a webhook that is off parks old events, gets invocations, and says since when and why', async () => {
  await attempt(500, 0, delivery());
  await changeReceiver(await stored(), (receiver) => pausedIfDue(receiver!, start + hour));
  await changeReceiver(await stored(), (receiver) => pausedIfDue(receiver!, start + 120 * hour));
  const { webhooks } = (await api.get('/webhooks')).body;
  const disabled_reason = `no delivery has succeeded since ${isoAt(0)}`;
  const shown = { failing_since: isoAt(0), disabled_at: isoAt(120), disabled_reason };
  expect(webhooks[0]).toMatchObject({ webhook_id: webhookId, ...shown, receives: [] });
  calls = [];
  const old = delivery({ attempt: 4, record: { ...delivery().record!, ulid: '00000000000000000000000000' } });
  await attempt(200, 121, delivery(), old);
  expect(calls).toEqual([]);
  expect(deliveries.parked()).toMatchObject([{ attempt: 1 }]);
  await api.post(`/webhooks/${webhookId}/invoke`, { test: 1 });
  await deliveries.handle(deliveries.deps(async () => ({ status: 200 }), calls));
  expect(calls).toMatchObject([{ event_type: 'invoke', response_status: 200 }]);
  expect(await read()).toHaveProperty('disabled_at');
  const { body } = await api.put(`/webhooks/${webhookId}`, fields);
  expect(body).toEqual({ status: 'success', webhook_id: webhookId, ...fields, event: 'all' });
});
