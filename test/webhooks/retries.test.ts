import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sqs } from '../../shared/aws.ts';
import { putItem } from '../../shared/table/client.ts';
import { invocationKey } from '../../shared/table/webhook-keys.ts';
import type { DeliveryDeps } from '../../shared/webhooks/attempt.ts';
import type { WebhookCall } from '../../shared/webhooks/calls.ts';
import { deliver } from '../../shared/webhooks/delivery.ts';
import { type Delivery, enqueueDeliveries } from '../../shared/webhooks/delivery-queue.ts';
import type { CallResponse } from '../../shared/webhooks/post.ts';
import {
  parseDelays,
  parseRetryAfter,
  retryDelayAfter,
  retryDelaySeconds,
} from '../../shared/webhooks/retry-schedule.ts';
import { readWebhook, type Webhook } from '../../shared/webhooks/webhooks.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { useDeliveryQueue } from '../support/delivery-queue.ts';

const { clock, queue, parked, taken, ...deliveries } = await useDeliveryQueue();
const minute = 60_000;
let api: Api;
let webhook: Webhook;
let calls: WebhookCall[];

beforeAll(async () => {
  api = await newOrganization();
  const fields = { callback_url: 'https://hooks.example.com/', secret_key: 'secret' };
  const { body } = await api.post('/webhooks', fields);
  webhook = await readWebhook(api.organizationId, body.webhook_id);
  const names = ['ALL', 'ASKED', 'LONG', 'CRASH', 'CRASH1', 'CRASH3', 'CRASH8', 'SQS'];
  for (const name of [...names, ...times(10, (i) => `TEN${i}`)])
    await putItem({ ...invocationKey(api.organizationId, `inv_${name}`), payload: '{}' });
});
beforeEach(() => {
  calls = [];
});

const event = (id: string): Delivery => ({
  organization_id: api.organizationId,
  webhook_id: webhook.webhook_id,
  event_id: `inv_${id}`,
  event_type: 'invoke',
  attempt: 1,
});
const delivery = (id: string, more: Partial<Delivery> = {}) => ({ ...event(id), ...more });
const around = (answer: CallResponse, more: Partial<DeliveryDeps> = {}): DeliveryDeps => ({
  ...deliveries.deps(async () => answer, calls),
  ...more,
});

const verdictOf = async (...args: Parameters<typeof deliver>) => (await deliver(...args)).verdict;

/**
 * Attempts a delivery and then its retries when they are due. Returns the attempts' times in seconds from the
 * start.
 */
async function play(first: Delivery, world: DeliveryDeps): Promise<number[]> {
  const [start, times] = [clock.now(), [] as number[]];
  for (let next: Delivery | undefined = first; next; ) {
    const { verdict } = await deliver(next, webhook, world);
    if (verdict !== 'early') times.push((clock.now() - start) / 1000);
    if (verdict !== 'early' && verdict !== 'retried') return times;
    for (next = undefined; !next; next = await taken()) await clock.advance(1000);
  }
  return times;
}

describe('the schedule of attempts', () => {
  test('begins at once, continues after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and ends with parking', async () => {
    const times = await play(delivery('ALL'), around({ status: 500 }));
    const waits = times.slice(1).map((time, index) => time - times[index]!);
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
    expect(calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(parked()).toEqual([event('ALL')]);
  });

  test('honors the receiver’s Retry-After, up to a day', async () => {
    const asked = around({ status: 429, retryAfter: '600' });
    await deliver(delivery('ASKED'), webhook, asked);
    await clock.advance(599_000);
    expect(await taken()).toBeUndefined();
    await clock.advance(1000);
    expect(await taken()).toMatchObject({ event_id: 'inv_ASKED', attempt: 2 });
    expect(retryDelayAfter(1, { retryAfter: 1e9, random: 0 })).toBe(86_400);
    expect(retryDelayAfter(2, { retryAfter: 1, random: 0 })).toBe(300);
  });

  test.each([
    ['45', 45],
    [' 0 ', 0],
    ['99999999999', 99_999_999_999],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 37],
    ['Sun, 06 Nov 1994 08:40:00 GMT', 0],
    ...['45.5', '-45', '+45', '1e3', '0x10', '4 5', '', 'soon', '1994-11-06T08:49:37Z'].map((text) => [text]),
    // A weekday that is not the date's, a day that no month has, a zone, and letters in another case.
    ...['Mon, 06 Nov 1994 08:49:37 GMT', 'Thu, 31 Nov 1994 08:49:37 GMT'].map((text) => [text]),
    // The obsolete forms, which no sender may use.
    ...['Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'].map((text) => [text]),
    ...['Sun, 06 Nov 1994 08:49:37 EST', 'sun, 06 nov 1994 08:49:37 gmt'].map((text) => [text]),
  ] as [string, number?][])('waits as Retry-After "%s" says, or ignores it', (header, seconds) => {
    expect(parseRetryAfter(header, Date.parse('1994-11-06T08:49:00Z'))).toBe(seconds);
  });

  test('has up to 10 % of jitter', () => {
    expect(retryDelayAfter(2, { random: 0.5 })).toBeCloseTo(315);
    expect(retryDelayAfter(7, { random: 1 })).toBeCloseTo(39_600);
    expect(retryDelayAfter(8, { random: 1 })).toBeUndefined();
  });

  test('can be set to numbers of seconds for trials', () => {
    expect(parseDelays(undefined)).toBe(retryDelaySeconds);
    expect(parseDelays('1,0.5,20')).toEqual([1, 0.5, 20]);
    for (const wrong of ['1,,2', 'soon', '-1', '1e9', ' ']) expect(() => parseDelays(wrong)).toThrow(wrong);
  });

  test('ends when the webhook is deleted', async () => {
    expect(await verdictOf(delivery('DROPPED'), undefined, around({ status: 200 }))).toBe('dropped');
    expect([calls, await taken(), parked()]).toEqual([[], undefined, []]);
  });
});

test('the webhooks of an organization share four message groups, so that many slow ones delay no other host', async () => {
  const webhooks = Array.from({ length: 40 }, (_, number) => `wh_${number}`);
  await enqueueDeliveries(webhooks.map((webhook_id) => ({ ...event('SOON'), webhook_id })));
  const groups = new Set(queue.messages().map(({ groupId }) => groupId));
  expect([...groups].sort()).toEqual([0, 1, 2, 3].map((number) => `${webhook.organization_id}#${number}`));
});

describe('a wait of hours', () => {
  const fails = () => around({ status: 500 });
  const hour = 60 * minute;

  test('is split into delays of 15 minutes, so that no message gets old', async () => {
    await deliver(delivery('LONG', { attempt: 6 }), webhook, fails());
    let [messages, oldest] = [0, 0];
    for (let passed = 0; passed < 10 * hour; passed += 15 * minute) {
      await clock.advance(15 * minute);
      oldest = Math.max(oldest, ...queue.messages().map(({ sentAt }) => clock.now() - sentAt));
      messages += await deliveries.handle(fails());
    }
    expect({ messages, oldest }).toEqual({ messages: 40, oldest: 15 * minute });
    expect(calls.map(({ attempt }) => attempt)).toEqual([6, 7]);
  });

  test('shares its SQS requests with concurrent ones', async () => {
    const sent = vi.spyOn(sqs(), 'send');
    for (let i = 0; i < 10; i++)
      await enqueueDeliveries([{ ...event(`TEN${i}`), not_before: clock.now() + hour }]);
    sent.mockClear();
    await deliveries.handle(fails());
    expect(sent.mock.calls).toHaveLength(1);
    sent.mockRestore();
  });
});

describe('a crash', () => {
  const broken = async () => {
    throw new Error('planted');
  };

  test('before the call is recorded leaves the message on the queue', async () => {
    const world = around({ status: 200 }, { record: broken });
    await expect(deliver(delivery('CRASH'), webhook, world)).rejects.toThrow('planted');
    expect(await verdictOf(delivery('CRASH'), webhook, around({ status: 200 }))).toBe('delivered');
    expect(calls.map(({ event_id, attempt }) => [event_id, attempt])).toEqual([['inv_CRASH', 1]]);
  });

  test.each([1, 3, 8])(
    'before the retry of attempt %i is queued leaves the message on the queue',
    async (attempt) => {
      const last = delivery(`CRASH${attempt}`, { attempt });
      const fails = () => verdictOf(last, webhook, around({ status: 500 }));
      await expect(deliveries.whileSendsFail(fails)).rejects.toThrow();
      expect(await fails()).toBe(attempt === 8 ? 'parked' : 'retried');
      expect([...deliveries.queued(), ...parked()]).toHaveLength(1);
    },
  );
});
