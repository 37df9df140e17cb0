import { beforeAll, expect, test } from 'vitest';
import { limitWebhook } from '../../shared/operations/change-webhook.ts';
import { put } from '../../shared/table/client.ts';
import { paceKey } from '../../shared/table/webhook-keys.ts';
import { type Delivery, enqueue } from '../../shared/webhooks/delivery-queue.ts';
import { reserveTimes } from '../../shared/webhooks/pace.ts';
import { readWebhook } from '../../shared/webhooks/webhooks.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { useDeliveryQueue } from '../support/delivery-queue.ts';

const { clock, ...deliveries } = await useDeliveryQueue();
let api: Api;
let limited: string;
let free: string;

beforeAll(async () => {
  api = await newOrganization();
  const register = async (path: string) =>
    (await api.post('/webhooks', { callback_url: `https://hooks.example.com/${path}`, secret_key: 's' })).body
      .webhook_id;
  [limited, free] = [await register('limited'), await register('free')];
  await limitWebhook(api.organizationId, limited, 5, { operator: 'ana', now: Date.now() });
});

const delivery = (webhook_id: string, index: number): Delivery => ({
  organization_id: api.organizationId,
  webhook_id,
  event_id: `evt_${webhook_id}_${index}`,
  event_type: 'outcome',
  notice: {},
  attempt: 1,
});

/** Handles the delivery queue once a second. Returns the times of each webhook's calls in seconds since the start. */
async function work(seconds: number): Promise<Record<string, number[]>> {
  const start = clock.now();
  const made: Record<string, number[]> = { [limited]: [], [free]: [] };
  const deps = deliveries.deps(async (url) => {
    made[url.endsWith('limited') ? limited : free]!.push(Math.floor((clock.now() - start) / 1000));
    return { status: 200 };
  });
  for (let second = 0; second < seconds; second++, await clock.advance(1000)) await deliveries.handle(deps);
  return made;
}

test('a receiver limited to five a second gets about five, and delays no other', async () => {
  const both = times(100, (i) => [delivery(limited, i), delivery(free, i)]).flat();
  expect(await enqueue(both)).toEqual([]);
  const made = await work(25);
  expect(made[free]).toEqual(times(100, () => 0));
  expect(made[limited]).toHaveLength(100);
  const inSecond = times(25, (second) => made[limited]!.filter((at) => at === second).length);
  expect(Math.max(...inSecond)).toBeLessThanOrEqual(10);
  expect(made[limited]!.at(-1)).toBeGreaterThanOrEqual(18);
  expect(made[limited]!.at(-1)).toBeLessThanOrEqual(21);
  for (let from = 0; from < 15; from++) {
    const inFive = inSecond.slice(from, from + 5).reduce((sum, count) => sum + count, 0);
    expect(inFive).toBeGreaterThanOrEqual(20);
    expect(inFive).toBeLessThanOrEqual(30);
  }
});

test('concurrent reservations get successive times', async () => {
  const webhook = await readWebhook(api.organizationId, free);
  const now = Date.parse('2026-02-01T00:00:00Z');
  const slots = (await Promise.all(times(8, () => reserveTimes(webhook, 10, 10, now)))).flat();
  expect(slots.sort((a, b) => a - b)).toEqual(times(80, (i) => now + i * 100));
  expect(await reserveTimes(webhook, 10, 1, now + 60_000)).toEqual([now + 60_000]);
});

test.each(['never', 4e15])(
  'a time that somebody has changed to %s is set anew, so that deliveries do not wait for ever',
  async (changed) => {
    const webhook = await readWebhook(api.organizationId, free);
    const key = paceKey(api.organizationId, free);
    await put({ ...key, next_at: changed });
    const now = clock.now();
    expect(await reserveTimes(webhook, 10, 2, now)).toEqual([now, now + 100]);
  },
);

test('a delivery that waits longer than the longest SQS delay is held again', async () => {
  const webhook = await readWebhook(api.organizationId, limited);
  await reserveTimes(webhook, 5, 10_000, clock.now());
  await enqueue([delivery(limited, 1000)]);
  const made = await work(2100);
  expect(made[limited]).toHaveLength(1);
  expect(made[limited]![0]).toBeGreaterThanOrEqual(1995);
});
