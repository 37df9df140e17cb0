import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AwsEndpoint, startAwsEndpoint } from '../../infra/develop/local/aws/endpoint.ts';
import { maxBodyBytes } from '../../shared/api/schemas.ts';
import { scheduler } from '../../shared/aws.ts';
import type { DeliveryDeps } from '../../shared/webhooks/attempt.ts';
import type { Call } from '../../shared/webhooks/calls.ts';
import { deliver } from '../../shared/webhooks/delivery.ts';
import type { Delivery } from '../../shared/webhooks/delivery-queue.ts';
import type { CallResponse } from '../../shared/webhooks/post.ts';
import {
  delayAfter,
  delaysFrom,
  retryAfterSeconds,
  retryDelays,
} from '../../shared/webhooks/retry-schedule.ts';
import { readWebhook, type Webhook } from '../../shared/webhooks/webhooks.ts';
import { createManualClock, type ManualClock } from '../infra/develop/local/manual-clock.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { redirect } from '../support/redirect.ts';

let api: Api;
let webhook: Webhook;
let clock: ManualClock;
let aws: AwsEndpoint;
let calls: Call[];
const account = '000000000000';

beforeAll(async () => {
  api = await newOrganization();
  const fields = { callback_url: 'https://hooks.example.com/', secret_key: 'secret' };
  const { body } = await api.post('/webhooks', fields);
  webhook = await readWebhook(api.organizationId, body.webhook_id);
  clock = createManualClock();
  aws = await startAwsEndpoint({
    queues: [
      { name: 'deliveries', visibilityTimeoutSeconds: 90, maxReceiveCount: 10, deadLetterQueue: 'parked' },
      { name: 'parked' },
    ],
    invoke: async () => {},
    clock,
  });
  redirect(scheduler(), aws.url);
  Object.assign(process.env, {
    QUEUE_URL_DELIVERIES: `${aws.url}/${account}/deliveries`,
    DEAD_LETTER_URL_DELIVERIES: `${aws.url}/${account}/parked`,
  });
});
afterAll(() => aws.close());
beforeEach(() => {
  calls = [];
  for (const queue of aws.queues.all()) queue.purge();
});

const delivery = (id: string): Delivery => ({
  organization_id: api.organizationId,
  webhook_id: webhook.webhook_id,
  event_id: `evt_${id}`,
  event_type: 'balance_updated',
  body: `{"id":"evt_${id}","text":"<aws.scheduler.scheduled-time>"}`,
  attempt: 1,
});
const around = (answer: CallResponse, more: Partial<DeliveryDeps> = {}): DeliveryDeps => ({
  post: async () => answer,
  record: async (call) => {
    calls.push(call);
  },
  now: clock.now,
  random: () => 0,
  delays: retryDelays,
  ...more,
});
const taken = async () => {
  const [message] = await aws.queues.get('deliveries').receive({ max: 1 });
  if (!message) return undefined;
  aws.queues.get('deliveries').delete(message.receiptHandle);
  return JSON.parse(message.body) as Delivery;
};
const parked = () =>
  aws.queues
    .get('parked')
    .messages()
    .map(({ body }) => JSON.parse(body));

/** What next comes off the queue, within two days of the clock. */
async function nextTaken(): Promise<Delivery> {
  for (const end = clock.now() + 2 * 86_400_000; clock.now() < end; await clock.advance(1000)) {
    const next = await taken();
    if (next) return next;
  }
  throw new Error('nothing comes any more');
}

/** Plays a delivery to its end, moving the clock from one attempt to the next; answers the seconds in between. */
async function play(first: Delivery, world: DeliveryDeps): Promise<number[]> {
  const waits: number[] = [];
  for (let next = first; (await deliver(next, webhook, world)) === 'retried'; ) {
    const from = clock.now();
    next = await nextTaken();
    waits.push((clock.now() - from) / 1000);
  }
  return waits;
}

describe('the schedule of attempts', () => {
  test('is at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and then the delivery is parked', async () => {
    const waits = await play(delivery('ALL'), around({ status: 500 }));
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
    expect(calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(parked()).toEqual([{ ...delivery('ALL'), attempt: 8 }]);
    expect(aws.scheduler.list()).toEqual([]);
  });

  test('keeps to what the receiver asks for, up to a day', async () => {
    const asked = around({ status: 429, retryAfter: '600' });
    await deliver(delivery('ASKED'), webhook, asked);
    await clock.advance(599_000);
    expect(await taken()).toBeUndefined();
    await clock.advance(1000);
    expect(await taken()).toMatchObject({ event_id: 'evt_ASKED', attempt: 2 });
    expect(delayAfter(1, { retryAfter: 1e9, random: 0 })).toBe(86_400);
    expect(delayAfter(2, { retryAfter: 1, random: 0 })).toBe(300);
    expect(retryAfterSeconds(new Date(60_000).toUTCString(), 30_000)).toBe(30);
    expect(retryAfterSeconds('soon', 0)).toBeUndefined();
  });

  test.each(['<', '"', '\\', 'é', '<aws.'])(
    'holds for the largest body, also where it is all %s',
    async (text) => {
      const written = JSON.stringify(text).slice(1, -1);
      const body = `{"a":"${written.repeat(Math.floor((maxBodyBytes - 8) / Buffer.byteLength(written)))}"}`;
      const large = { ...delivery(`LARGE${text.charCodeAt(0)}${text.length}`), body, attempt: 3 };
      expect(await deliver(large, webhook, around({ status: 500 }))).toBe('retried');
      await clock.advance(1800_000);
      expect(await taken()).toEqual({ ...large, attempt: 4 });
    },
  );

  test('has up to a tenth of jitter', () => {
    expect(delayAfter(2, { random: 0.5 })).toBeCloseTo(315);
    expect(delayAfter(7, { random: 1 })).toBeCloseTo(39_600);
    expect(delayAfter(8, { random: 1 })).toBeUndefined();
  });

  test('can be set for trials, by numbers', () => {
    expect(delaysFrom(undefined)).toBe(retryDelays);
    expect(delaysFrom('1,0.5,20')).toEqual([1, 0.5, 20]);
    for (const wrong of ['1,,2', 'soon', '-1', '1e9', ' ']) expect(() => delaysFrom(wrong)).toThrow(wrong);
  });

  test('ends with a 410, and with the webhook', async () => {
    expect(await deliver(delivery('GONE'), webhook, around({ status: 410 }))).toBe('gone');
    expect(await deliver(delivery('DROPPED'), undefined, around({ status: 200 }))).toBe('dropped');
    expect(calls.map(({ event_id }) => event_id)).toEqual(['evt_GONE']);
    expect([await taken(), parked()]).toEqual([undefined, []]);
  });

  test('makes the one schedule of an attempt, though it is asked for twice', async () => {
    const third = { ...delivery('TWICE'), attempt: 3 };
    await deliver(third, webhook, around({ error: 'timeout' }));
    await clock.advance(60_000);
    await deliver(third, webhook, around({ error: 'timeout' }));
    const schedules = aws.scheduler.list();
    expect(schedules).toHaveLength(1);
    // What the schedule cannot bring to the queue in a day is not lost either.
    expect(schedules[0]!.input.Target.DeadLetterConfig?.Arn).toMatch(/:deliveries-dead-letters$/);
    await clock.advance(1_800_000);
    expect(await taken()).toEqual({ ...third, attempt: 4 });
    expect(await taken()).toBeUndefined();
  });
});

test('an attempt waits beside those of its webhook, and not of the whole organization', async () => {
  await deliver(delivery('SOON'), webhook, around({ status: 500 }));
  const waiting = aws.queues.get('deliveries').messages();
  expect(waiting.map(({ groupId }) => groupId)).toEqual([webhook.webhook_id]);
});

describe('without a schedule', () => {
  test.each(['ThrottlingException', 'ServiceUnavailable', 'ServiceQuotaExceededException'])(
    'for %s, a delivery waits its time on the queue',
    async (name) => {
      const scheduler = mockClient(SchedulerClient);
      scheduler.on(CreateScheduleCommand).rejects(Object.assign(new Error(), { name }));
      const third = { ...delivery(name), attempt: 3 };
      const world = around({ status: 500 });
      expect(await deliver(third, webhook, world)).toBe('retried');
      const from = clock.now();
      const verdicts: string[] = [];
      while (verdicts.at(-1) !== 'retried') verdicts.push(await deliver(await nextTaken(), webhook, world));
      scheduler.restore();
      expect([verdicts, (clock.now() - from) / 1000]).toEqual([['early', 'retried'], 1800]);
      expect(calls.map(({ attempt }) => attempt)).toEqual([3, 4]);
    },
  );
});

describe('a crash', () => {
  const broken = async () => {
    throw new Error('planted');
  };

  test('before the call is recorded leaves the message to be taken again', async () => {
    const world = around({ status: 200 }, { record: broken });
    await expect(deliver(delivery('CRASH'), webhook, world)).rejects.toThrow('planted');
    expect(await deliver(delivery('CRASH'), webhook, around({ status: 200 }))).toBe('delivered');
    expect(calls.map(({ event_id, attempt }) => [event_id, attempt])).toEqual([['evt_CRASH', 1]]);
  });

  test.each([1, 3, 8])('before the attempt after number %i is queued does so too', async (attempt) => {
    const last = { ...delivery(`CRASH${attempt}`), attempt };
    const { QUEUE_URL_DELIVERIES, DEAD_LETTER_URL_DELIVERIES, QUEUE_ARN_DELIVERIES } = process.env;
    const nowhere = `${aws.url}/${account}/nowhere`;
    Object.assign(process.env, { QUEUE_URL_DELIVERIES: nowhere, DEAD_LETTER_URL_DELIVERIES: nowhere });
    process.env.QUEUE_ARN_DELIVERIES = '';
    await expect(deliver(last, webhook, around({ status: 500 }))).rejects.toThrow();
    Object.assign(process.env, { QUEUE_URL_DELIVERIES, DEAD_LETTER_URL_DELIVERIES, QUEUE_ARN_DELIVERIES });
    expect(await deliver(last, webhook, around({ status: 500 }))).toBe(attempt === 8 ? 'parked' : 'retried');
    await clock.advance(2_000_000);
    expect([await taken(), ...parked()].filter(Boolean)).toHaveLength(1);
  });
});
