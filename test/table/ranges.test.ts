import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { tableClient } from '../../shared/table/client.ts';
import { between, organizationsRange, type TableRange } from '../../shared/table/keys.ts';
import { batches, countItems, positionOf, readPage, readRange } from '../../shared/table/ranges.ts';
import { times } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { writeItems } from '../support/records.ts';

const range: TableRange = { partition: `ROWS#test-${crypto.randomUUID()}`, prefix: 'ROW#' };
const sortKey = (index: number) => String(index).padStart(4, '0');
const rows = 2500;

beforeAll(async () => {
  const keys = [...times(rows, (i) => `ROW#${sortKey(i)}`), 'ROV', 'ROW', 'ROWS'];
  await writeItems(
    keys.map((sk) => ({ pk: range.partition, sk, parity: Number(sk.slice(-1)) % 2 ? '1' : '0' })),
  );
});

describe('a range', () => {
  test('returns the items with its prefix, in both directions', async () => {
    const items = await readRange(range);
    expect(items.map((item) => positionOf(range, item))).toEqual(times(rows, sortKey));
    const newest = await readRange(range, { newestFirst: true, limit: 2 });
    expect(newest.map((item) => positionOf(range, item))).toEqual(['2499', '2498']);
  });

  test('between two positions includes both', async () => {
    const items = await readRange(between(range, '0009', '0011'), { fields: ['sk'] });
    expect(items).toEqual([{ sk: 'ROW#0009' }, { sk: 'ROW#0010' }, { sk: 'ROW#0011' }]);
  });

  // Expects several queries: without a limit of 1,000 items per query, DynamoDB Local would read all items in one
  // query.
  test('is counted and read a thousand items at a time', async () => {
    const { result, calls } = await watchingCalls(tableClient, () => countItems(range));
    expect([result, calls.length]).toEqual([rows, 3]);
    const lengths: number[] = [];
    for await (const items of batches(range, { where: { parity: '1' } })) lengths.push(items.length);
    expect(lengths).toEqual([500, 500, 250]);
  });
});

describe('a page', () => {
  test.each([1, 7, 2499, 2500, 2501])(
    'of %i items leads to the next page; the last page leads to none',
    async (limit) => {
      const { items, last } = await readPage(range, { limit });
      expect(items).toHaveLength(Math.min(limit, rows));
      expect(last).toBe(limit < rows ? sortKey(limit - 1) : undefined);
      const next = await readPage(range, { limit, after: last ?? sortKey(rows - 1) });
      expect(next.items[0]?.sk).toBe(limit < rows ? `ROW#${sortKey(limit)}` : undefined);
    },
  );

  test('of the index is refused by the type checker, because its positions are not keys', () => {
    expectTypeOf(organizationsRange()).not.toExtend<Parameters<typeof readPage>[0]>();
    expectTypeOf(range).toExtend<Parameters<typeof readPage>[0]>();
  });
});
