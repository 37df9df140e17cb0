import { beforeEach, describe, expect, test } from 'vitest';
import { eventSchema } from '../../shared/api/event-schemas.ts';
import { limitWebhook } from '../../shared/operations/change-webhook.ts';
import { client } from '../../shared/table/client.ts';
import { webhooksToNotify } from '../../shared/webhooks/audience.ts';
import type { Call } from '../../shared/webhooks/calls.ts';
import { deliverAll } from '../../shared/webhooks/delivery.ts';
import type { Delivery } from '../../shared/webhooks/delivery-queue.ts';
import { publish } from '../../shared/webhooks/publishing.ts';
import { moveReceiver } from '../../shared/webhooks/store-receiver.ts';
import { readWebhook, registerWebhook, type Webhook } from '../../shared/webhooks/webhooks.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { counted } from '../support/counted.ts';
import { asReceived, useDeliveryQueue } from '../support/delivery-queue.ts';
import { eventually } from '../support/eventually.ts';
import { transactionOf, userOf } from '../support/records.ts';

const hour = 3_600_000;
const start = Date.now() - 200 * hour;
const fields = { callback_url: 'https://hooks.example.com/failing', secret_key: 'secret' };
const { queue, queued, ...deliveries } = await useDeliveryQueue();
let api: Api;
let failing: string;
let others: string[];
let calls: Call[];
let tried = 0;

beforeEach(async () => {
  api = await newOrganization();
  calls = [];
  let registered = start - hour;
  const register = async (more: object) =>
    (await registerWebhook(api.organizationId, { ...fields, ...more }, registered++)).webhook_id;
  failing = await register({});
  others = [
    await register({ callback_url: 'https://hooks.example.com/a', event: 'cash_won' }),
    await register({ callback_url: 'https://hooks.example.com/b' }),
  ];
});

const delivery = (more: Partial<Delivery> = {}): Delivery => ({
  organization_id: api.organizationId,
  webhook_id: failing,
  event_id: `evt_${++tried}`,
  event_type: 'balance_updated',
  notice: {},
  attempt: 2,
  ...more,
});
/** Attempts deliveries at `atHour` hours after the test's start, with a receiver that responds with `status`. */
async function attempt(status: number, atHour: number, ...some: Delivery[]) {
  queue.purge();
  const deps = { ...deliveries.deps(async () => ({ status }), calls), now: () => start + atHour * hour };
  await deliverAll(some.map(asReceived), deps);
}
const stored = () => readWebhook(api.organizationId, failing);
const read = async () => (await api.get(`/webhooks/${failing}`)).body;
const isoAt = (atHour: number) => new Date(start + atHour * hour).toISOString();
const failForDays = async () => {
  await attempt(500, 0, delivery());
  await attempt(500, 120, delivery());
};
/** Publishes an event, and returns the ids of the webhooks for which it was queued. */
async function webhooksOfNewEvent() {
  queue.purge();
  const { record } = await transactionOf(userOf(api.organizationId, 'usr_1'), 'tickets', start);
  await publish([record]);
  return queued().map(({ webhook_id }) => webhook_id);
}

describe('a failing receiver', () => {
  test('shows its first repeated failure as failing_since, until a success', async () => {
    await attempt(500, 0, delivery({ attempt: 1 }));
    expect(await read()).not.toHaveProperty('failing_since');
    await attempt(500, 1, delivery());
    await attempt(503, 2, delivery(), delivery());
    expect(await read()).toMatchObject({ failing_since: isoAt(1) });
    await attempt(500, 3, delivery());
    // Repeats the attempt: if the write that stores a success fails, the next successful attempt stores it.
    await eventually(async () => {
      await attempt(204, 4, delivery({ attempt: 1 }));
      expect(await read()).not.toHaveProperty('failing_since');
    });
  });

  test('costs no write per delivery, and neither does a well one', async () => {
    const writes = async (status: number) => {
      const run = () => attempt(status, 1, ...times(10, () => delivery()));
      const { calls: made } = await watchingCalls(client, run);
      return made.filter(({ operation }) => !/^(Get|BatchGet|Query)/.test(operation)).length;
    };
    expect(await writes(204)).toBe(0);
    expect(await writes(500)).toBe(1);
    expect(await writes(500)).toBe(0);
    expect(await writes(204)).toBe(1);
    expect(await writes(204)).toBe(0);
  });

  test('is stored together with what a host and an operator change at the same time', async () => {
    const callback_url = 'https://hooks.example.com/moved';
    const changes = [
      () => api.put(`/webhooks/${failing}`, { ...fields, callback_url }),
      () => limitWebhook(api.organizationId, failing, 7, { operator: 'test', now: start }),
    ];
    await watchingCalls(
      client,
      () => attempt(500, 1, delivery()),
      async ({ operation }) => void (operation === 'PutItem' && (await changes.shift()?.())),
    );
    expect(changes).toEqual([]);
    const receiver = { state: 'failing', failing_since: isoAt(1) };
    expect(await stored()).toMatchObject({ callback_url, per_second: 7, receiver, version: 4 });
  });

  test('is changed by only one of several workers, and not if the webhook is deleted meanwhile', async () => {
    const webhook = await stored();
    const failed = { type: 'failed', now: start } as const;
    const moves = await Promise.all(times(5, () => moveReceiver(webhook, failed)));
    const moved = moves.filter((one) => one !== undefined);
    expect(moved).toEqual([await stored()]);
    const race = () => moveReceiver(moved[0]!, { type: 'succeeded', now: start });
    const { result } = await watchingCalls(
      client,
      race,
      async ({ operation }) => void (operation === 'PutItem' && (await api.delete(`/webhooks/${failing}`))),
    );
    expect(result).toBeUndefined();
    await expect(stored()).rejects.toMatchObject({ code: 'webhook_not_found' });
  });

  test('has its failed calls counted, for the alarm', async () => {
    const failed = await counted('FailedWebhookCalls', async () => {
      await attempt(500, 1, delivery(), delivery({ attempt: 8 }), delivery({ event_type: 'invoke' }));
      await attempt(204, 2, delivery());
      await attempt(410, 2, delivery());
    });
    expect(failed).toEqual([3]);
  });

  test('stays on for less than five days, or with a success in between', async () => {
    await attempt(500, 0, delivery());
    await attempt(500, 119.999, delivery());
    await attempt(200, 119.9995, delivery());
    await attempt(500, 120, delivery());
    await attempt(500, 200, delivery());
    expect(await read()).toMatchObject({ failing_since: isoAt(120) });
    expect(await read()).not.toHaveProperty('disabled_at');
  });
});

describe('a receiver that has failed for five days', () => {
  test('is switched off, as the list shows, and operators are alarmed', async () => {
    expect(await counted('WebhooksSwitchedOff', failForDays)).toEqual([1]);
    const { webhooks } = (await api.get('/webhooks')).body;
    expect(webhooks[0]).toMatchObject({
      webhook_id: failing,
      failing_since: isoAt(0),
      disabled_at: isoAt(120),
      disabled_reason: `no delivery has succeeded since ${isoAt(0)}`,
    });
    expect(webhooks[1]).not.toHaveProperty('disabled_at');
  });

  test('receives nothing more, and its queued deliveries end with a record of the reason', async () => {
    await failForDays();
    expect((await webhooksOfNewEvent()).sort()).toEqual([others[1]]);
    calls = [];
    const late = delivery({ attempt: 4 });
    await attempt(200, 121, late);
    expect(queued()).toEqual([]);
    expect(calls).toMatchObject([
      { event_id: late.event_id, attempt: 4, error: 'the webhook is switched off', duration_ms: 0 },
    ]);
    expect(calls[0]).not.toHaveProperty('response_status');
  });

  test('still receives invocations', async () => {
    await failForDays();
    calls = [];
    await attempt(200, 121, delivery({ event_type: 'invoke', event_id: 'inv_1', attempt: 1 }));
    expect(calls).toMatchObject([{ event_id: 'inv_1', response_status: 200 }]);
    expect(await read()).toHaveProperty('disabled_at');
  });

  test('causes one notice to each other webhook, whatever its event type', async () => {
    await failForDays();
    const notices = queued().filter(({ event_type }) => event_type === 'webhook_disabled');
    expect(notices.map(({ webhook_id }) => webhook_id).sort()).toEqual([...others].sort());
    const payload = notices[0]!.notice as never;
    expect(payload).toMatchObject({
      id: notices[0]!.event_id,
      type: 'webhook_disabled',
      timestamp: isoAt(120),
      data: { webhook_id: failing, callback_url: fields.callback_url, disabled_at: isoAt(120) },
    });
    expect(eventSchema('webhook_disabled').parse(payload)).toEqual(payload);
    expect(JSON.stringify(payload)).not.toContain(fields.secret_key);
    await attempt(500, 121, delivery());
    expect(queued()).toEqual([]);
  });

  test('causes no notice to a webhook that is off, or that has the same receiver', () => {
    const webhook = (webhook_id: string, path: string, state?: string) =>
      ({
        webhook_id,
        callback_url: `https://hooks.example.com/${path}`,
        ...(state && { receiver: { state } }),
      }) as Webhook;
    const off = webhook('wh_1', 'failing', 'off');
    const all = [
      off,
      webhook('wh_2', 'a'),
      webhook('wh_3', 'a#newer'),
      webhook('wh_4', 'failing#newer'),
      webhook('wh_5', 'b', 'off'),
      webhook('wh_6', 'c', 'failing'),
    ];
    expect(webhooksToNotify(off, all).map(({ webhook_id }) => webhook_id)).toEqual(['wh_3', 'wh_6']);
  });

  test('causes the notice later if it could not be queued at first', async () => {
    await attempt(500, 0, delivery());
    const { QUEUE_URL_DELIVERIES } = process.env;
    process.env.QUEUE_URL_DELIVERIES = `${QUEUE_URL_DELIVERIES}-nowhere`;
    // Only the delivery queue is missing. The dead-letter queue still accepts the failed delivery.
    await attempt(500, 120, delivery({ attempt: 8 }));
    process.env.QUEUE_URL_DELIVERIES = QUEUE_URL_DELIVERIES!;
    expect(await read()).toMatchObject({ disabled_at: isoAt(120) });
    await attempt(500, 121, delivery());
    expect(
      queued()
        .map(({ webhook_id }) => webhook_id)
        .sort(),
    ).toEqual([...others].sort());
  });

  test('is switched on by a PUT, keeps its event type, and receives the events it missed', async () => {
    await failForDays();
    const { body } = await api.put(`/webhooks/${failing}`, fields);
    expect(body).toEqual({ status: 'success', webhook_id: failing, ...fields, event: 'all' });
    const { receiver } = await readWebhook(api.organizationId, failing);
    expect(receiver!.backlog!.since).toBe(start - 60_000);
    expect(await webhooksOfNewEvent()).toEqual([others[1]]);
  });

  test('is not replaced by an older webhook with the same callback', async () => {
    const { webhook_id: newest } = await registerWebhook(api.organizationId, fields, start - hour / 2);
    await attempt(500, 0, delivery({ webhook_id: newest }));
    await attempt(500, 120, delivery({ webhook_id: newest }));
    expect(await webhooksOfNewEvent()).toEqual([others[1]]);
  });
});
