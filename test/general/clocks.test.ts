/** Machines whose clocks differ by up to a minute, an index that lags, and pauses, around midnight in New York. */
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { OrderRecord, OutcomeRecord } from '../../shared/accounts/records.ts';
import { runShardSpins } from '../../shared/amoe/spin-run.ts';
import { readDueShards } from '../../shared/amoe/start-spin-run.ts';
import { idOf, leastUlid, timeOfUlid, ulidOf } from '../../shared/ids.ts';
import { staleAfterMs } from '../../shared/retry.ts';
import { shardOf } from '../../shared/shards.ts';
import { tableClient } from '../../shared/table/client.ts';
import { recordLists, recordsOfUser, timeSortKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { settledAfterMs } from '../../shared/table/settled.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';
import { eventTypes } from '../../shared/vocabulary.ts';
import { audienceOf } from '../../shared/webhooks/audience.ts';
import { readEvents } from '../../shared/webhooks/read-events.ts';
import type { Subscription, Webhook } from '../../shared/webhooks/webhooks.ts';
import { playAt } from '../games/support/plays.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { invoke } from '../support/invoke.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { transactionOf, userOf, type Written, writeRecords } from '../support/records.ts';
import { testContext } from '../support/test-context.ts';

afterEach(() => void vi.restoreAllMocks());
const runs = { seed: 1, endOnFailure: true, numRuns: Number(process.env.CLOCK_RUNS ?? 5) };
// biome-ignore lint/suspicious/noExplicitAny: inputs and outputs of DynamoDB
type Any = any;

/** Days that begin by summer time, by winter time, and whose day before has 23 or 25 hours. */
const days = fc.constantFrom('2027-03-15', '2027-11-08', '2027-07-01', '2027-01-01');
const ms = (maxSeconds: number) => fc.integer({ min: -maxSeconds * 1000, max: maxSeconds * 1000 });

describe('spins around midnight, on machines whose clocks differ', () => {
  const step = fc.record({
    kind: fc.constantFrom('queue' as const, 'queue' as const, 'play' as const, 'run' as const),
    at: ms(90),
    skew: ms(60),
    workerSkew: ms(60),
  });

  async function organization(): Promise<{ api: Api; user: string }> {
    const api = await newOrganization();
    const prizes = [prizeOf('cash_usd', 10, 1_000_000), prizeOf('tickets', 1, 1)];
    await putPrizeTable(api.organizationId, 'prizewheel', prizes, testContext());
    await api.put('/debug/daily-cash-limit', { cash_limit: 30 });
    return { api, user: await api.user(100) };
  }

  const recordsOf = async (api: Api, user: string): Promise<Any[]> => {
    const lists = ([...recordLists, 'orders'] as const).map((list) =>
      readRange(recordsOfUser(api.organizationId, user, list), { consistent: true }),
    );
    return (await Promise.all(lists)).flat();
  };

  async function run({ organizationId }: Api, user: string, now: number, workerNow: number) {
    const message = { organization_id: organizationId, shard: shardOf(user), day: dayOf(now) };
    return runShardSpins(message, { now: () => workerNow, timeIsUp: () => false });
  }

  test('run once and on their day, in order, and grant no more cash than the day has', async () => {
    await fc.assert(
      fc.asyncProperty(days, fc.array(step, { minLength: 4, maxLength: 10 }), async (day, unsorted) => {
        const midnight = startOfDay(day);
        const { api, user } = await organization();
        const { organizationId } = api;
        let [queued, plays] = [0, 0];
        for (const { kind, at, skew, workerSkew } of unsorted.toSorted((a, b) => a.at - b.at)) {
          const now = midnight + at + skew;
          if (kind === 'queue') {
            const body = { num_of_spins: 2, idempotency_key: `k${queued}` };
            const { status } = await invoke('amoe/queue', {
              organizationId,
              path: { user_id: user },
              body,
              now,
            });
            expect(status).toBe(200);
            queued += 2;
          }
          if (kind === 'play')
            await playAt(api, user, now).then(
              () => plays++,
              (error) => expect(error.code).toBe('daily_spin_limit_reached'),
            );
          if (kind === 'run') {
            await run(api, user, now, midnight + at + workerSkew);
            // Whatever was due by this clock has run.
            const done = await recordsOf(api, user);
            const due = done.filter((one) => one.kind === 'orders' && one.due_day <= dayOf(now));
            const ran = done.filter((one) => one.order_id && one.kind === 'outcomes').length;
            expect(ran).toBeGreaterThanOrEqual(2 * due.length);
          }
        }
        await run(api, user, startOfDay(addDays(day, 2)), startOfDay(addDays(day, 2)));
        await run(api, user, startOfDay(addDays(day, 3)), startOfDay(addDays(day, 3)));
        expect(
          (await readDueShards(startOfDay(addDays(day, 3)))).filter(
            (one) => one.organization_id === organizationId,
          ),
        ).toEqual([]);

        const records = (await recordsOf(api, user)).sort((a, b) => a.sequence - b.sequence);
        const outcomes = records.filter(({ kind }) => kind === 'outcomes') as OutcomeRecord[];
        const orders = records.filter(({ kind }) => kind === 'orders') as OrderRecord[];
        expect([outcomes.length, orders.length]).toEqual([queued + plays, queued / 2]);
        expect(records.map(({ sequence }) => sequence)).toEqual(records.map((_, index) => index + 1));
        const times = records.map((record) => timeSortKey(record));
        expect(times).toEqual(times.toSorted());
        for (const { order_id, due_day } of orders) {
          const own = outcomes.filter((one) => one.order_id === order_id);
          expect(own).toHaveLength(2);
          expect(due_day).toBe(addDays(dayOf(timeOfUlid(ulidOf(order_id))), 1));
          for (const { timestamp } of own) expect(dayOf(Date.parse(timestamp)) >= due_day).toBe(true);
        }
        const cash = new Map<string, number>();
        for (const { budgets, timestamp, prize } of outcomes) {
          const of = budgets?.day ?? dayOf(Date.parse(timestamp));
          cash.set(of, (cash.get(of) ?? 0) + (prize.cash_usd ?? 0));
        }
        for (const usd of cash.values()) expect(usd).toBeLessThanOrEqual(30);
      }),
      runs,
    );
  });
});

describe('the audience of an event', () => {
  const registration = fc.record({
    at: fc.integer({ min: 0, max: 20 }),
    url: fc.constantFrom('a', 'b'),
    event: fc.constantFrom<Subscription>('all', 'outcome', 'balance_updated'),
  });
  test('is each URL once, never from before its registration, whatever is registered before it is published', () => {
    fc.assert(
      fc.property(
        fc.array(registration, { maxLength: 6 }),
        fc.integer({ min: 0, max: 20 }),
        fc.constantFrom(...eventTypes),
        (made, at, type) => {
          const webhooks = made
            .toSorted((a, b) => a.at - b.at)
            .map(
              ({ at, url, event }) =>
                ({
                  webhook_id: idOf('wh', leastUlid(at).padEnd(26, '0')),
                  callback_url: `https://${url}.example/`,
                  event,
                }) as Webhook,
            );
          const createdBy = (time: number) =>
            webhooks.filter(({ webhook_id }) => timeOfUlid(ulidOf(webhook_id)) <= time);
          const told = audienceOf(webhooks)(type, at);
          const subscribed = createdBy(at).filter(({ event }) => event === 'all' || event === type);
          const urls = (some: Webhook[]) => [...new Set(some.map(({ callback_url }) => callback_url))].sort();
          expect(told.map(({ callback_url }) => callback_url).sort()).toEqual(urls(subscribed));
          expect(told.filter((one) => !subscribed.includes(one))).toEqual([]);
          expect(audienceOf(createdBy(at))(type, at)).toEqual(told);
        },
      ),
      { ...runs, numRuns: 300 },
    );
  });
});

describe('the events feed, over an index that lags', () => {
  /** Reads of the index do not show `hidden` records. */
  async function withLag<T>(isHidden: (ulid: string) => boolean, work: () => Promise<T>): Promise<T> {
    tableClient.middlewareStack.add(
      (next) => async (args) => {
        const answer: Any = await next(args);
        if (!(args.input as Any).IndexName) return answer;
        const Items = answer.output.Items.filter((item: Any) => !isHidden(timeSortKey(item)));
        return { ...answer, output: { ...answer.output, Items } };
      },
      { step: 'initialize', name: 'withLag' },
    );
    return work().finally(() => tableClient.middlewareStack.remove('withLag'));
  }

  test('passes no event, whichever machine answers', async () => {
    const maxSkewMs = 10_000;
    const record = fc.record({
      user: fc.constantFrom('usr_a', 'usr_b'),
      at: fc.integer({ min: 0, max: 120_000 }),
      lag: fc.integer({ min: 0, max: settledAfterMs - maxSkewMs }),
    });
    const poll = fc.record({
      at: fc.integer({ min: 0, max: 240_000 }),
      skew: ms(maxSkewMs / 1000),
      limit: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 8 }),
        fc.array(poll, { maxLength: 8 }),
        async (made, polls) => {
          const { organizationId } = await newOrganization();
          const start = startOfDay('2027-07-01') - 60_000;
          const users = new Map(['usr_a', 'usr_b'].map((id) => [id, userOf(organizationId, id)]));
          const visibleAt = new Map<string, number>();
          const written: Written[] = [];
          for (const { user, at, lag } of made.toSorted((a, b) => a.at - b.at)) {
            const { user: after, record } = await transactionOf(users.get(user)!, 'tickets', start + at);
            users.set(user, after);
            written.push(record as Written);
            visibleAt.set(timeSortKey(record), start + at + lag);
          }
          await writeRecords(written);
          const read: string[] = [];
          let after: string | undefined;
          const end = { at: 600_000, skew: 0, limit: 100 };
          for (const { at, skew, limit } of [...polls.toSorted((a, b) => a.at - b.at), end]) {
            const now = start + at;
            const page = await withLag(
              (ulid) => visibleAt.get(ulid)! > now,
              () => readEvents({ organizationId, after, limit }, now + skew),
            );
            read.push(...page.events.map(({ id }) => id));
            after = page.last;
          }
          const ids = written.map((record: Any) => record.transaction_id.slice(4));
          expect(read.map((id) => id.slice(4, 14))).toEqual(ids.map((id) => id.slice(0, 10)).sort());
          expect(new Set(read).size).toBe(written.length);
        },
      ),
      runs,
    );
  });
});

test.each([
  [staleAfterMs - 1, 200, performance],
  [staleAfterMs, 200, performance],
  [staleAfterMs + 1, 503, performance],
  // During a computer's sleep, only this clock advances.
  [staleAfterMs + 1, 503, Date],
])(
  'a commit that pauses for %i ms before its write answers %i, and never writes later',
  async (pauseMs, expected, clock) => {
    const api = await newOrganization();
    const user = await api.user();
    let paused = Math.floor(clock.now());
    vi.spyOn(clock, 'now').mockImplementation(() => paused);
    const request = {
      organizationId: api.organizationId,
      path: { user_id: user },
      body: { amount: 5, idempotency_key: 'k' },
    };
    const { result, calls } = await watchingCalls(
      tableClient,
      () => invoke('tickets/credit', request),
      (_, index) => {
        if (index === 0) paused += pauseMs;
        return undefined;
      },
    );
    expect(result.status).toBe(expected);
    expect(calls.filter(({ operation }) => operation === 'TransactWriteItems')).toHaveLength(
      expected === 200 ? 1 : 0,
    );
    vi.restoreAllMocks();
    expect((await api.get(`/users/${user}/tickets/balance`)).body.balance).toBe(expected === 200 ? 5 : 0);
  },
);
