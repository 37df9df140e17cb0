import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HistoryRecord } from '../../shared/accounts/records.ts';
import type { User } from '../../shared/accounts/user.ts';
import { ulidFloor } from '../../shared/ids.ts';
import { enableWebhook, limitWebhook } from '../../shared/operations/change-webhook.ts';
import { put } from '../../shared/table/client.ts';
import type { DeliveryDeps } from '../../shared/webhooks/attempt.ts';
import { runSteps } from '../../shared/webhooks/backlog-steps.ts';
import type { Call } from '../../shared/webhooks/calls.ts';
import { changeWebhook } from '../../shared/webhooks/change-webhook.ts';
import { stepsUntilSeparateRetries } from '../../shared/webhooks/deliver-backlog.ts';
import { deliverAll } from '../../shared/webhooks/delivery.ts';
import { enqueue, isBacklogStep, messageIn } from '../../shared/webhooks/delivery-queue.ts';
import type { CallResponse } from '../../shared/webhooks/post.ts';
import { publish } from '../../shared/webhooks/publishing.ts';
import { type Backlog, openBacklog, type Receiver } from '../../shared/webhooks/receiver.ts';
import { deleteWebhook, readWebhook, registerWebhook, type Webhook } from '../../shared/webhooks/webhooks.ts';
import { newOrganization, times } from '../support/api.ts';
import { counted } from '../support/counted.ts';
import { asReceived, useDeliveryQueue } from '../support/delivery-queue.ts';
import { useOwnTable } from '../support/own-table.ts';
import { transactionOf, userOf, type Written, writeRecords } from '../support/records.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const deliveries = await useDeliveryQueue();
const { clock } = deliveries;
const queue = () => deliveries.queue;
let organizationId: string;
let webhookId: string;
let users: Map<string, User>;
let calls: Call[];
let answer: (body: Sent, url: string) => CallResponse;
type Sent = { id: string; sequence: number; type: string; data: { user_id: string } };
let callMs: number;
/** The events that the receiver received, in order of arrival, with each call's time and URL. */
let arrived: (Sent & { at: number; url: string })[];
let handled: number;

const well = () => ({ status: 200 });
const dead = () => ({ error: 'refused' });

await useOwnTable('backlog');
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
  organizationId = (await newOrganization()).organizationId;
  webhookId = await register('https://hooks.example.com/in', organizationId, clock.now() - hour);
  users = new Map();
  [calls, arrived] = [[], []];
  [handled, callMs] = [0, 0];
  answer = well;
});
afterEach(() => vi.useRealTimers());

const fields = { callback_url: 'https://hooks.example.com/in', secret_key: 'secret' };
const register = async (callback_url: string, of = organizationId, at = clock.now()): Promise<string> =>
  (await registerWebhook(of, { ...fields, callback_url }, at)).webhook_id;
const deps = (): DeliveryDeps =>
  deliveries.deps(async (url, _, body) => {
    const sent = JSON.parse(body) as Sent;
    arrived.push({ ...sent, at: clock.now(), url });
    if (callMs > 0) await clock.advance(callMs);
    return answer(sent, url);
  }, calls);
const byAna = () => ({ operator: 'ana', now: clock.now() });
const webhook = (): Promise<Webhook> => readWebhook(organizationId, webhookId);
const receiver = async () => (await webhook()).receiver;
const stateNow = async () => (await receiver())?.state ?? 'well';
const openBacklogNow = async () => openBacklog(await webhook());
const steps = () =>
  queue()
    .messages()
    .flatMap(({ body }) => [messageIn(body, '')!].filter(isBacklogStep));

/** Writes one ticket transaction for each named user and publishes the transactions' events. */
async function commit(names = ['usr_a'], of = organizationId): Promise<void> {
  const records: Written[] = [];
  for (const name of names) {
    const made = await transactionOf(users.get(name) ?? userOf(of, name), 'tickets', clock.now());
    users.set(name, made.user);
    records.push(made.record as Written);
  }
  await writeRecords(records);
  await publish(records as HistoryRecord[]);
}

/**
 * Handles the visible messages of the delivery queue, in at most `limit` batches. Failed messages stay on the
 * queue.
 */
async function handle({ limit }: { limit?: number } = {}): Promise<void> {
  handled += await deliveries.handle(deps(), limit);
}
/** Advances the clock by `ms` in steps of `byMs`, and handles the messages that are due after each step. */
async function pass(ms: number, byMs = 30 * second): Promise<void> {
  for (let left = ms; left > 0; left -= byMs) {
    await clock.advance(Math.min(left, byMs));
    vi.setSystemTime(clock.now());
    await handle();
  }
}
/** Lets ten seconds pass, again and again, until the condition holds. Fails after a minute. */
async function until(isMet: () => Promise<boolean>): Promise<void> {
  for (let left = minute; !(await isMet()); left -= 10 * second) {
    expect(left).toBeGreaterThan(0);
    await pass(10 * second, 5 * second);
  }
}
const change = async (more: Partial<Receiver>) =>
  expect(await put({ ...(await webhook()), receiver: { ...(await receiver())!, ...more } })).toBe(true);
const changeBacklog = async (more: Partial<Backlog>) =>
  change({ backlog: { ...(await openBacklogNow())!, ...more } });
/** Lets the receiver fail until a backlog starts. Returns the receiver's webhook. */
async function fallenBehind(): Promise<Webhook> {
  answer = dead;
  await commit();
  await until(async () => (await openBacklogNow()) !== undefined);
  return webhook();
}
/**
 * Returns the sequence numbers of a user's events in the order of their first arrival. Ignores the first
 * `from` calls.
 */
const firstArrivals = (userId = 'usr_a', from = 0) => [
  ...new Set(
    arrived
      .slice(from)
      .filter(({ data }) => data.user_id === userId)
      .map(({ sequence }) => sequence),
  ),
];

describe('a webhook of a failing receiver', () => {
  test('falls behind after two seconds, and from then on no event is queued as a delivery', async () => {
    answer = dead;
    await commit();
    await pass(10 * second, 5 * second);
    expect(await receiver()).toEqual({ state: 'failing', failing_since: expect.any(String) });
    await pass(10 * second, 5 * second);
    const { failing_since, backlog } = (await receiver())!;
    expect(await stateNow()).toBe('behind');
    expect(backlog!.since).toBe(Date.parse(failing_since!) - minute);
    queue().purge();
    await commit();
    expect(queue().messages()).toEqual([]);
  });

  test('does not fall behind if one of ten calls fails', async () => {
    let made = 0;
    answer = () => (++made % 10 === 0 ? dead() : well());
    for (let i = 0; i < 60; i++) {
      await commit();
      await pass(10 * second, 5 * second);
    }
    expect(await openBacklogNow()).toBeUndefined();
    expect(firstArrivals()).toHaveLength(60);
  });

  test('leaves queued deliveries to the backlog, except those of older records', async () => {
    await fallenBehind();
    const { since } = (await openBacklogNow())!;
    const of = (at: number) =>
      asReceived({
        organization_id: organizationId,
        webhook_id: webhookId,
        event_id: `evt_${ulidFloor(at)}0000000000000000`,
        event_type: 'balance_updated',
        notice: {},
        attempt: 4,
      });
    calls = [];
    await deliverAll([of(since)], deps());
    expect(calls).toEqual([]);
    await deliverAll([of(since - 1)], deps());
    expect(calls).toHaveLength(1);
    await deliverAll([{ ...of(clock.now()), event_type: 'invoke', event_id: 'inv_1' }], deps());
    expect(calls).toHaveLength(2);
  });

  test('falls behind even if the step crashes after the state is written', async () => {
    answer = dead;
    await commit();
    await pass(10 * second, 5 * second);
    queue().purge();
    const begin = asReceived({ organization_id: organizationId, webhook_id: webhookId, step: 0 });
    expect(await deliveries.whileSendsFail(() => runSteps([begin], deps()))).toEqual(new Set());
    expect(await openBacklogNow()).toMatchObject({ step: 1 });
    // Sends the message of the failed step again, as SQS would.
    await enqueue([begin]);
    answer = well;
    await pass(hour);
    expect(firstArrivals()).toEqual([1]);
    expect(await openBacklogNow()).toBeUndefined();
  });

  test('gets no backlog of records from before its registration', async () => {
    await commit();
    await pass(10 * second, second);
    webhookId = await register('https://hooks.example.com/late');
    await fallenBehind();
    answer = well;
    await pass(hour);
    const late = calls.filter(({ webhook_id }) => webhook_id === webhookId);
    expect(new Set(late.map(({ payload }) => JSON.parse(payload).sequence))).toEqual(new Set([2]));
  });

  test('does not fall behind if an attempt succeeds before the step’s message arrives', async () => {
    const begin = asReceived({ organization_id: organizationId, webhook_id: webhookId, step: 0 });
    expect(await runSteps([begin], deps())).toEqual(new Set([begin]));
    expect(await openBacklogNow()).toBeUndefined();
    expect(queue().messages()).toEqual([]);
  });
});

describe('a webhook that is behind', () => {
  test('gets few events at growing intervals until its receiver is well', async () => {
    await fallenBehind();
    for (let i = 0; i < 20; i++) {
      await commit();
      await pass(6 * minute);
    }
    const before = arrived.length;
    const failed = await counted('FailedWebhookCalls', () => pass(5 * hour));
    expect(failed.reduce((sum, calls) => sum + calls)).toBe(arrived.length - before);
    expect(arrived.length - before).toBeLessThanOrEqual(24 * 21);
    const asked = new Set(arrived.slice(before).map(({ at }) => at));
    expect(asked.size).toBeLessThanOrEqual(24);
    expect(steps()).toHaveLength(1);
    answer = well;
    await pass(hour);
    expect(firstArrivals()).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
    expect(await openBacklogNow()).toBeUndefined();
    expect((await receiver())?.failing_since).toBeUndefined();
    expect(queue().messages()).toEqual([]);
  });

  test('has its failed calls counted, for the alarm', async () => {
    await fallenBehind();
    const before = arrived.length;
    vi.stubEnv('METRICS_NAMESPACE', 'test');
    const printed = vi.spyOn(console, 'log').mockReturnValue();
    await pass(hour);
    const counted = printed.mock.calls.map(([line]) => JSON.parse(line).FailedWebhookCalls ?? 0);
    printed.mockRestore();
    vi.unstubAllEnvs();
    expect(arrived.length).toBeGreaterThan(before);
    expect(counted.reduce((sum, one) => sum + one, 0)).toBe(arrived.length - before);
  });

  test('waits as long as its receiver asks', async () => {
    await fallenBehind();
    answer = () => ({ status: 503, retryAfter: '86400' });
    await pass(10 * minute);
    const before = arrived.length;
    await pass(23 * hour, 5 * minute);
    expect(arrived).toHaveLength(before);
    await pass(hour);
    expect(arrived.length).toBeGreaterThan(before);
  });

  test('gets new events from the queue again once its backlog has ended, each once', async () => {
    await fallenBehind();
    answer = well;
    const sent: number[] = [];
    for (let i = 0; i < 60; i++) {
      await commit();
      sent.push(i + 2);
      await pass(30 * second);
    }
    await pass(20 * minute);
    expect(new Set(firstArrivals())).toEqual(new Set([1, ...sent]));
    expect(await openBacklogNow()).toBeUndefined();
    // Expects no event twice: near the backlog's end, both the backlog and the queue could send the same event.
    expect(arrived.filter(({ sequence }) => sequence > 1)).toHaveLength(60);
  });

  test('stays behind if its receiver fails before the backlog is delivered', async () => {
    await fallenBehind();
    answer = well;
    while ((await openBacklogNow())?.until === undefined) await pass(5 * second, second);
    answer = dead;
    for (let i = 0; i < 20; i++) {
      await commit();
      await pass(30 * second);
    }
    expect(await openBacklogNow()).toBeDefined();
    expect((await openBacklogNow())!.until).toBeUndefined();
    answer = well;
    await pass(hour);
    expect(new Set(firstArrivals())).toEqual(new Set(times(21, (i) => i + 1)));
    expect(await openBacklogNow()).toBeUndefined();
  });

  test('is not held up by a single event that its receiver refuses', async () => {
    answer = dead;
    for (let i = 0; i < 10; i++) await commit();
    await pass(6 * minute, 5 * second);
    answer = ({ sequence }) => (sequence === 1 ? { status: 500 } : well());
    await pass(30 * minute);
    expect(new Set(firstArrivals())).toEqual(new Set(times(10, (i) => i + 1)));
    expect(await openBacklogNow()).toBeUndefined();
    await pass(30 * hour, 5 * minute);
    const parked = deliveries.parked();
    expect(parked).toContainEqual(expect.objectContaining({ attempt: 8, from_backlog: true }));
    expect(new Set(parked.map(({ event_id }) => event_id)).size).toBe(1);
  });

  // A step sends at most 50 events together, so the second case tests the largest possible wave.
  test.each([1, 50])('queues separate retries of its %i failing events after three days', async (count) => {
    await fallenBehind();
    for (let i = 1; i < count; i++) await commit();
    // Makes the events older than 15 minutes when their own retries fail. The failed retry of a newer event would start
    // a second backlog.
    await pass(2 * minute);
    await changeBacklog({ failed_steps: (72 * hour) / (15 * minute) });
    await pass(hour, 5 * minute);
    expect(await openBacklogNow()).toBeDefined();
    await pass(4 * hour, 5 * minute);
    expect(await openBacklogNow()).toBeUndefined();
    await pass(30 * hour, 15 * minute);
    expect(deliveries.parked()).toHaveLength(count);
    expect(await stateNow()).not.toBe('off');
  });

  test('sends no more events at a time than its receiver’s limit', async () => {
    await limitWebhook(organizationId, webhookId, 2, byAna());
    await fallenBehind();
    for (let i = 0; i < 60; i++) await commit();
    await pass(10 * minute);
    answer = well;
    const before = arrived.length;
    await pass(20 * minute, second);
    expect(firstArrivals('usr_a', before)).toEqual(times(61, (i) => i + 1));
    const seconds = Map.groupBy(arrived.slice(before), ({ at }) => Math.floor(at / second));
    expect(Math.max(...[...seconds.values()].map(({ length }) => length))).toBeLessThanOrEqual(4);
  });

  test('is tried at once after a PUT, so that a host can end the wait', async () => {
    await fallenBehind();
    await pass(3 * hour, minute);
    while ((await openBacklogNow())!.due < clock.now() + 5 * minute) await pass(minute, minute);
    const tried = arrived.length;
    answer = well;
    await changeWebhook(organizationId, webhookId, fields, clock.now());
    await pass(5 * second, second);
    expect(firstArrivals('usr_a', tried)).toEqual([1]);
  });

  test('receives missed events without help when it is switched on again', async () => {
    for (const turnOn of [
      () => enableWebhook(organizationId, webhookId, byAna()),
      () => changeWebhook(organizationId, webhookId, fields, clock.now()),
    ]) {
      users.clear();
      await fallenBehind();
      // Commits 59 more events, because one backlog step would send all events of a shorter backlog.
      for (let i = 1; i < 60; i++) await commit();
      await change({ failing_since: new Date(clock.now() - 5 * 24 * hour).toISOString() });
      await pass(hour);
      expect(await receiver()).toHaveProperty('disabled_at');
      expect(queue().messages()).toEqual([]);
      answer = well;
      const before = arrived.length;
      await turnOn();
      await pass(hour);
      expect(firstArrivals('usr_a', before)).toEqual(times(60, (i) => i + 1));
      expect(await openBacklogNow()).toBeUndefined();
    }
  });

  test('receives events again whose separate retries ended because it was switched off', async () => {
    await fallenBehind();
    await pass(2 * minute);
    await changeBacklog({ failed_steps: stepsUntilSeparateRetries - 1 });
    await pass(hour, minute);
    for (let i = 0; i < 3; i++) {
      await commit(['usr_b']);
      await pass(10 * second, second);
    }
    expect(await stateNow()).toBe('behind');
    await change({ failing_since: new Date(clock.now() - 5 * 24 * hour).toISOString() });
    await pass(30 * hour, 15 * minute);
    expect(await stateNow()).toBe('off');
    expect(deliveries.parked()).toEqual([]);
    answer = well;
    const before = arrived.length;
    await enableWebhook(organizationId, webhookId, byAna());
    await pass(hour);
    expect(firstArrivals('usr_a', before)).toEqual([1]);
    expect(firstArrivals('usr_b', before)).toEqual([1, 2, 3]);
    expect(await openBacklogNow()).toBeUndefined();
  });

  test('gets new events beside its backlog if its receiver is too slow to catch up', async () => {
    answer = dead;
    for (let i = 0; i < 60; i++) {
      await commit(['usr_a', 'usr_a']);
      await pass(second, second);
    }
    await pass(8 * minute, 5 * second);
    expect(await openBacklogNow()).toBeDefined();
    answer = well;
    callMs = 2 * second;
    const before = arrived.length;
    const isBeside = async () => clock.now() >= ((await openBacklogNow())?.until ?? Number.POSITIVE_INFINITY);
    for (let i = 0; i < 200 && !(await isBeside()); i++) {
      await clock.advance(second);
      vi.setSystemTime(clock.now());
      await handle({ limit: 1 });
    }
    await commit(['usr_b']);
    await handle({ limit: 2 });
    expect(firstArrivals('usr_b')).toEqual([1]);
    expect(firstArrivals('usr_a', before).length).toBeLessThan(120);
    callMs = 0;
    await pass(hour);
    expect(firstArrivals('usr_a', before)).toEqual(times(120, (i) => i + 1));
    expect(await openBacklogNow()).toBeUndefined();
  });

  test('receives nothing after it is deleted', async () => {
    await fallenBehind();
    await deleteWebhook(organizationId, webhookId);
    answer = well;
    const before = arrived.length;
    await pass(hour);
    expect(arrived).toHaveLength(before);
    expect(queue().messages()).toEqual([]);
  });

  test('leaves events to a newer webhook with the same callback', async () => {
    await fallenBehind();
    await pass(5 * minute);
    await registerWebhook(organizationId, { ...fields, event: 'balance_updated' }, clock.now());
    await pass(2 * minute);
    await commit();
    answer = well;
    await pass(hour);
    const made = calls.filter(({ webhook_id }) => webhook_id === webhookId);
    expect(new Set(made.map(({ payload }) => JSON.parse(payload).sequence))).toEqual(new Set([1]));
    expect(firstArrivals()).toContain(2);
  });
});

describe('a receiver that is well again', () => {
  const names = ['usr_a', 'usr_b'];

  /** Commits and publishes one event for each user every second, for `ms` milliseconds. Returns the commit times. */
  async function commitFor(ms: number): Promise<number[]> {
    const committed: number[] = [];
    for (let left = ms; left > 0; left -= second) {
      committed.push(clock.now());
      await commit(names);
      await pass(second, second);
    }
    return committed;
  }

  /** Returns each event's delay in milliseconds since its commit, or since `from` if later. */
  const delays = (name: string, committed: number[], from: number) =>
    committed.map((at, index) => {
      const call = arrived.find(
        (one) => one.at >= from && one.sequence === index + 1 && one.data.user_id === name,
      );
      return (call?.at ?? Number.POSITIVE_INFINITY) - Math.max(at, from);
    });

  test.each([12, 90, 300])(
    'receives everything within a minute of an outage of %i s, in order, and new events at once',
    async (seconds) => {
      const before = await commitFor(30 * second);
      answer = dead;
      const meanwhile = await commitFor(seconds * second);
      answer = well;
      const from = clock.now();
      const later = await commitFor(120 * second);
      await pass(10 * second, second);
      const afterwards = arrived.filter(({ at }) => at >= from);
      for (const name of names) {
        const firstAt = new Map<number, number>();
        for (const { sequence, at } of afterwards.filter(({ data }) => data.user_id === name).reverse())
          firstAt.set(sequence, at);
        const inOrder = [...firstAt].toSorted(([a], [b]) => a - b).map(([, at]) => at);
        expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
        const all = delays(name, [...before, ...meanwhile, ...later], from).slice(before.length);
        expect(Math.max(...all)).toBeLessThanOrEqual(60 * second);
        expect(Math.max(...all.slice(meanwhile.length + 60))).toBeLessThanOrEqual(2 * second);
      }
      await pass(10 * minute);
      expect(await stateNow()).toBe('well');
    },
  );

  test('receives everything within a minute of the first success after hours', async () => {
    const before = await commitFor(10 * second);
    answer = dead;
    const meanwhile = await commitFor(5 * minute);
    await pass(2 * hour, minute);
    answer = well;
    const tried = arrived.length;
    while (arrived.length === tried) await pass(second, second);
    const from = clock.now();
    await pass(minute, second);
    for (const name of names) {
      expect(
        Math.max(...delays(name, [...before, ...meanwhile], from).slice(before.length)),
      ).toBeLessThanOrEqual(minute);
      const sequences = firstArrivals(name, tried);
      expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    }
  });

  test('receives a record that the index showed only after the backlog had passed it', async () => {
    await fallenBehind();
    answer = well;
    const { record } = await transactionOf(userOf(organizationId, 'usr_late'), 'tickets', clock.now());
    await publish([record as HistoryRecord]);
    while ((await stateNow()) !== 'checking') await pass(second, second);
    await writeRecords([record as Written]);
    await pass(6 * minute, 5 * second);
    expect(firstArrivals('usr_late')).toEqual([1]);
    expect(await stateNow()).toBe('well');
  });

  test('is well even if the last step of its backlog comes minutes late', async () => {
    await fallenBehind();
    answer = well;
    while ((await receiver())!.backlog!.until === undefined) await pass(second, second);
    await clock.advance(10 * minute);
    await pass(10 * minute);
    expect(await stateNow()).toBe('well');
  });

  test('gets no pending retry of an event that its backlog has delivered', async () => {
    await fallenBehind();
    answer = well;
    while ((await stateNow()) !== 'checking') await pass(second, second);
    const { since, until } = (await receiver())!.backlog!;
    const of = (at: number, attempt: number) =>
      asReceived({
        organization_id: organizationId,
        webhook_id: webhookId,
        event_id: `evt_${ulidFloor(at)}0000000000000000`,
        event_type: 'balance_updated',
        notice: { data: {} },
        attempt,
      });
    calls = [];
    await deliverAll([of(since, 3), of(until! - 1, 3)], deps());
    expect(calls).toEqual([]);
    await deliverAll([of(until! - 1, 1), of(until!, 3)], deps());
    await pass(5 * second, second);
    expect(calls).toHaveLength(2);
  });
});

describe('a backlog step', () => {
  const next = async () => {
    const { step } = (await openBacklogNow())!;
    return asReceived({ organization_id: organizationId, webhook_id: webhookId, step });
  };

  test.each([
    [9, 1, 0],
    [5, 5, 0],
    [4, 5, 11],
    [0, 3, 11],
  ])('with %i delivered and %i failed events sets the failed steps to %i', async (arrived, failed, steps) => {
    await fallenBehind();
    for (let i = 1; i < arrived + failed; i++) await commit();
    await changeBacklog({ failed_steps: 10 });
    const message = await next();
    await clock.advance(20 * minute);
    answer = ({ sequence }) => (sequence <= failed ? dead() : well());
    await runSteps([message], deps());
    expect((await openBacklogNow())!.failed_steps).toBe(steps);
  });

  test.each([
    ['no event', 2_000, []],
    ['the event', 2_001, [1]],
  ])('sends %s of a record that is %i ms old', async (_, ms, sequences) => {
    await fallenBehind();
    const message = await next();
    await clock.advance(20 * minute);
    answer = well;
    await commit(['usr_b']);
    await clock.advance(ms);
    await runSteps([message], deps());
    expect(firstArrivals('usr_b')).toEqual(sequences);
  });

  test('is repeated if it crashes before its result is stored', async () => {
    await fallenBehind();
    const message = await next();
    queue().purge();
    await clock.advance(20 * minute);
    answer = well;
    const broken = { ...deps(), record: () => Promise.reject(new Error('no table')) };
    expect(await runSteps([message], broken)).toEqual(new Set());
    expect((await next()).step).toBe(message.step);
    await enqueue([message]);
    await pass(hour);
    expect(firstArrivals()).toEqual([1]);
    expect(await openBacklogNow()).toBeUndefined();
  });

  test('is repeated if its check cannot be queued', async () => {
    await fallenBehind();
    const message = await next();
    queue().purge();
    await clock.advance(20 * minute);
    answer = well;
    expect(await deliveries.whileSendsFail(() => runSteps([message], deps()))).toEqual(new Set());
    expect((await next()).step).toBe(message.step);
  });

  test('queues the next step if an earlier attempt did not', async () => {
    await fallenBehind();
    const message = await next();
    await clock.advance(20 * minute);
    answer = well;
    expect(await runSteps([message], deps())).toEqual(new Set([message]));
    queue().purge();
    expect((await next()).step).toBe(message.step + 1);
    await enqueue([message]);
    await pass(hour);
    expect(await openBacklogNow()).toBeUndefined();
    expect(queue().messages()).toEqual([]);
  });

  test('continues once if its message is handled twice, even concurrently', async () => {
    await fallenBehind();
    const message = await next();
    await enqueue([message, message, message]);
    await pass(hour);
    expect(steps()).toHaveLength(1);
  });

  test('is queued again with the next event if its message is lost', async () => {
    await fallenBehind();
    queue().purge();
    await clock.advance(hour);
    vi.setSystemTime(clock.now());
    answer = well;
    await commit();
    expect(steps()).toHaveLength(1);
    await pass(hour);
    expect(firstArrivals()).toEqual([1, 2]);
  });
});

describe('a dead receiver with hundreds of events', () => {
  const minutes = 40;
  const perMinute = 20;

  /**
   * Simulates forty minutes with a busy receiver, which always fails if `isDead`, and a healthy receiver with one event
   * a minute.
   */
  async function live(names: string[], isDead: boolean) {
    const other = (await newOrganization()).organizationId;
    const url = `https://${other}.example.com/in`;
    await register(url, other);
    answer = (_, called) => (isDead && called !== url ? dead() : well());
    handled = 0;
    const waits: number[] = [];
    for (let i = 0; i < minutes; i++) {
      await commit(times(perMinute, (j) => names[(i * perMinute + j) % names.length]!));
      await commit(['usr_other'], other);
      const [at, before] = [clock.now(), arrived.length];
      await handle();
      waits.push(arrived.slice(before).find((call) => call.url === url)!.at - at);
      await pass(minute, 15 * second);
    }
    users.delete('usr_other');
    // Counts the calls to the healthy receiver.
    const attempts = arrived.filter((call) => call.url === url).length;
    return { handled, attempts, maxWait: Math.max(...waits) };
  }

  test('delays no other receiver, and receives everything in order when it recovers', async () => {
    const namesOf = (prefix: string) => times(40, (i) => `usr_${prefix}${i}`);
    const usual = await live(namesOf('before'), false);
    const names = namesOf('meanwhile');
    const beside = await live(names, true);
    expect(beside).toMatchObject({ attempts: usual.attempts, maxWait: usual.maxWait });
    expect(beside.handled).toBeLessThan(usual.handled);
    const before = arrived.length;
    answer = well;
    await pass(hour);
    for (const name of names)
      expect(firstArrivals(name, before)).toEqual(times((minutes * perMinute) / names.length, (i) => i + 1));
    expect(arrived.length - before).toBeLessThan(minutes * perMinute * 1.1);
    expect(await openBacklogNow()).toBeUndefined();
  });
});
