import fc from 'fast-check';
import { ulid } from 'ulid';
import { describe, expect, test } from 'vitest';
import { newId } from '../../shared/ids.ts';
import { type Item, tableClient } from '../../shared/table/client.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../../shared/time.ts';
import {
  type CallFilter,
  callRecorder,
  readCallHistory,
  type WebhookCall,
} from '../../shared/webhooks/calls.ts';
import { times } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';

/** Number of random histories, each of which is read in about ten ways. `RUNS=300 npx vitest …` tries more. */
const runs = Number(process.env.RUNS ?? 5);

const minute = 60_000;
const day = 24 * 60 * minute;
const now = Date.now();
const noon = startOfDay(addDays(dayOf(now), -2)) + day / 2;

const call = (organizationId: string, at: number, more: Partial<WebhookCall> = {}): WebhookCall => ({
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

async function recorded(calls: (organizationId: string) => WebhookCall[]): Promise<string> {
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
    const { items, last } = await readCallHistory(organizationId, filter, { limit, after }, now);
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
        const { items, last } = await readCallHistory(organizationId, filter, { limit: 0 }, now);
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
    watchingCalls(tableClient, () => readCallHistory(organizationId, { ...filter, ...more }, { limit }, now));

  test('queries each shard once, for little more than its share', async () => {
    const organizationId = await recorded((id) => times(600, (i) => call(id, noon + i, { shard: i % 16 })));
    for (const limit of [0, 10, 100, 400]) {
      const { result, calls } = await read(organizationId, limit);
      expect(result.items).toHaveLength(limit);
      expect(calls).toHaveLength(16);
    }
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
  const { result, calls } = await watchingCalls(tableClient, () =>
    readCallHistory('org_1', { start: end - 1, end: end - 1 }, { limit: 10 }, now),
  );
  expect([result, calls]).toEqual([{ items: [], last: undefined }, []]);
});
