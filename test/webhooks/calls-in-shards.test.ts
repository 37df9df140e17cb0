import fc from 'fast-check';
import { ulid } from 'ulid';
import { describe, expect, test } from 'vitest';
import { newId } from '../../shared/ids.ts';
import { shardOf } from '../../shared/shards.ts';
import { client, type Item } from '../../shared/table/client.ts';
import { webhookCallKey } from '../../shared/table/webhook-keys.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../../shared/time.ts';
import {
  type Call,
  type CallFilter,
  callHistory,
  callRecorder,
  callsOfEvent,
} from '../../shared/webhooks/calls.ts';
import { newOrganization, times } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';

/** Number of random histories, each of which is read in about ten ways. `RUNS=300 npx vitest …` tries more. */
const runs = Number(process.env.RUNS ?? 5);

const minute = 60_000;
const day = 24 * 60 * minute;
const now = Date.now();
const noon = startOfDay(addDays(dayOf(now), -2)) + day / 2;

const call = (organizationId: string, at: number, more: Partial<Call> = {}): Call => ({
  organization_id: organizationId,
  webhook_id: 'wh_1',
  event_id: `evt_${ulid(at)}`,
  event_type: 'outcome',
  timestamp: isoOf(at),
  url: 'https://hooks.example.com/',
  payload: '{}',
  attempt: 1,
  duration_ms: 12,
  ...more,
});

async function recorded(calls: (organizationId: string) => Call[]): Promise<string> {
  const organizationId = newId('org', now);
  const record = callRecorder();
  await Promise.all(calls(organizationId).map(record));
  return organizationId;
}

type HistoryQuery = { organizationId: string; filter: CallFilter; limit: number };

async function pagesOf({ organizationId, filter, limit }: HistoryQuery): Promise<Item[][]> {
  const pages: Item[][] = [];
  let after: string | undefined;
  do {
    const { items, last } = await callHistory(organizationId, filter, { limit, after }, now);
    pages.push(items);
    after = last;
  } while (after !== undefined);
  return pages;
}

const gap = fc.oneof(
  { weight: 50, arbitrary: fc.constant(0) },
  { weight: 100, arbitrary: fc.integer({ min: 1, max: 5000 }) },
  { weight: 1, arbitrary: fc.integer({ min: minute, max: 2 * day }) },
);
const type = fc.constantFrom('outcome', 'balance_updated', 'cash_won');
const part = fc.double({ min: 0, max: 1, noNaN: true });
const history = fc.record({
  calls: fc.array(fc.record({ gap, event_type: type, shard: fc.oneof(fc.nat(15), fc.constant(0)) }), {
    minLength: 100,
    maxLength: 400,
    size: 'max',
  }),
  queries: fc.array(
    fc.record({
      ends: fc.tuple(part, part).map((parts) => parts.sort((a, b) => a - b)),
      event_type: fc.option(type, { nil: undefined }),
      limit: fc.constantFrom(1, 3, 10, 25, 60, 1000),
    }),
    { minLength: 5, maxLength: 12 },
  ),
});

test('pages over shards equal the pages of a plain list', {
  timeout: minute * runs,
}, async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ calls, queries }) => {
      const begin = now - calls.reduce((sum, { gap }) => sum + gap, 0);
      let at = begin;
      const list = calls.map(({ gap, event_type, shard }, number) => {
        at += gap;
        return { at, event_type, shard, payload: JSON.stringify({ number }) };
      });
      const organizationId = await recorded((id) => list.map(({ at, ...said }) => call(id, at, said)));
      for (const { ends, event_type, limit } of queries) {
        const [start, end] = ends.map((part) => Math.round(begin + part * (now - begin))) as [number, number];
        const filter = { start, end, event_type };
        const pages = await pagesOf({ organizationId, filter, limit });
        const positions = pages.flat().map(({ sk }) => String(sk));
        expect(positions).toEqual([...new Set(positions)].sort());
        const fitting = list.filter(
          (one) => one.at >= start && one.at <= end && (!event_type || one.event_type === event_type),
        );
        expect(payloadsOf(pages.flat())).toEqual(payloadsOf(fitting));
        if (event_type) continue;
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        const { items, last } = await callHistory(organizationId, filter, { limit: 0 }, now);
        expect([items, last !== undefined]).toEqual([[], fitting.length > 0]);
      }
    }),
    { numRuns: runs, endOnFailure: true },
  );
});

/** Returns the payloads of calls. Sorts them, because calls of the same millisecond have a random order. */
const payloadsOf = (calls: { payload?: unknown }[]) => calls.map(({ payload }) => payload).sort();

describe('a page over 16 shards', () => {
  const filter = { start: noon, end: noon + minute };
  const read = (organizationId: string, limit: number, more: Partial<CallFilter> = {}) =>
    watchingCalls(client, () => callHistory(organizationId, { ...filter, ...more }, { limit }, now));

  test('queries each shard once, for little more than its share', async () => {
    const organizationId = await recorded((id) => times(600, (i) => call(id, noon + i, { shard: i % 16 })));
    for (const limit of [0, 10, 100, 400]) {
      const { result, calls } = await read(organizationId, limit);
      expect(result.items).toHaveLength(limit);
      expect(calls).toHaveLength(16);
    }
  });

  test('needs one more round if all calls are in one shard', async () => {
    const organizationId = await recorded((id) => times(300, (i) => call(id, noon + i)));
    const { result, calls } = await read(organizationId, 250);
    expect(result.items).toHaveLength(250);
    expect(calls).toHaveLength(16 + 1);
  });

  test('reads on for a rare event type only in shards that have more calls', async () => {
    const organizationId = await recorded((id) => times(1100, (i) => call(id, noon + i)));
    const { result, calls } = await read(organizationId, 10, { event_type: 'prize_won' });
    expect(result).toEqual({ items: [], last: undefined });
    expect(calls).toHaveLength(16 + 2);
  });

  test('of one event type ends at the lowest position that a shard was read to', async () => {
    // Every call in shard 1 is earlier than every call in shard 0, so shard 1's calls must come first.
    const at = (i: number) => noon + (i % 2 === 0 ? i + 2000 : i);
    const organizationId = await recorded((id) => times(1500, (i) => call(id, at(i), { shard: i % 2 })));
    const types = { ...filter, event_type: 'outcome' };
    const pages = await pagesOf({ organizationId, filter: types, limit: 1000 });
    expect(pages.map((page) => page.length)).toEqual([1000, 500]);
    const timesOf = pages.flat().map(({ timestamp }) => timestamp);
    expect(timesOf).toEqual([...timesOf].sort());
  });

  test('has up to four megabytes', async () => {
    const payload = JSON.stringify({ text: 'x'.repeat(60_000) });
    const organizationId = await recorded((id) =>
      times(90, (i) => call(id, noon + i, { shard: i % 16, payload })),
    );
    const pages = await pagesOf({ organizationId, filter, limit: 1000 });
    expect(pages.map((page) => page.length)).toEqual([expect.any(Number), expect.any(Number)]);
    expect(pages.flat().map(({ timestamp }) => timestamp)).toEqual(times(90, (i) => isoOf(noon + i)));
    expect(JSON.stringify(pages[0]).length).toBeLessThan(4.5 * 1024 * 1024);
  });
});

test('a range older than 90 days is empty without a query', async () => {
  const end = now - 91 * day;
  const { result, calls } = await watchingCalls(client, () =>
    callHistory('org_1', { start: end - 1, end: end - 1 }, { limit: 10 }, now),
  );
  expect([result, calls]).toEqual([{ items: [], last: undefined }, []]);
});

test('a call is in the shard of its event’s user, or in shard 0 without a user', async () => {
  const api = await newOrganization();
  const { organizationId } = api;
  let answered = 0;
  const receiver = await startReceiver(() => (answered++ === 0 ? 503 : 204));
  const { body } = await api.post('/webhooks', { callback_url: receiver.url, secret_key: 'secret' });
  await api.post(`/webhooks/${body.webhook_id}/invoke`, { hello: 'there' });
  const users = await Promise.all(times(12, () => api.user(5)));
  await receiver.until(14);
  await receiver.close();
  const filter = { start: now - minute, end: now + day };
  const found = await eventually(async () => {
    const { items } = await callHistory(organizationId, filter, { limit: 100 }, Date.now());
    expect(items).toHaveLength(14);
    return items;
  });
  const userOf = ({ payload }: Item): string | undefined => JSON.parse(String(payload)).data?.user_id;
  const keyOf = (item: Item) => {
    const user = userOf(item);
    const ofDay = dayOf(Date.parse(String(item.timestamp)));
    return webhookCallKey(organizationId, ofDay, String(item.sk), user ? shardOf(user) : 0);
  };
  expect(found.map(({ pk, sk }) => ({ pk, sk }))).toEqual(found.map(keyOf));
  expect(new Set(found.flatMap((item) => userOf(item) ?? []))).toEqual(new Set(users));
  const shown = await api.get('/webhook/history', { start: isoOf(filter.start), end: isoOf(filter.end) });
  expect(shown.body.calls.map(({ event_id }: Item) => event_id)).toEqual(
    found.map(({ event_id }) => event_id),
  );
  for (const { event_id } of found) {
    const attempts = await callsOfEvent(organizationId, String(event_id), filter.start, Date.now());
    expect(attempts).toEqual(found.filter((item) => item.event_id === event_id));
    expect(attempts.at(-1)).toMatchObject({ response_status: 204 });
  }
});
