import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import type { User } from '../../shared/accounts/user.ts';
import { newId, ulidTimePart } from '../../shared/ids.ts';
import { packTimes } from '../../shared/reports/blocks.ts';
import { rowCountOf } from '../../shared/reports/day-counts.ts';
import { extendRowIndex } from '../../shared/reports/extend-index.ts';
import { rebuildIndex, recountRows } from '../../shared/reports/recount.ts';
import { reportPage } from '../../shared/reports/reports.ts';
import { readRowIndex } from '../../shared/reports/stored-index.ts';
import { checkReportsOfDay } from '../../shared/reports/upkeep.ts';
import { shardCount } from '../../shared/shards.ts';
import { putItem, tableClient } from '../../shared/table/client.ts';
import { timeSortKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import {
  blockByTimeKey,
  blocksBefore,
  blocksByTime,
  dayCountsKey,
  indexStateKey,
} from '../../shared/table/row-index-keys.ts';
import { dayOf, startOfDay } from '../../shared/time.ts';
import { times } from '../support/api.ts';
import { type Call, watchingCalls } from '../support/calls.ts';
import { countRoundTrips } from '../support/count-round-trips.ts';
import { useOwnTable } from '../support/own-table.ts';
import { transactionOf, userOf, type Written, writeRecords } from '../support/records.ts';

// Uses its own table. No local stage reads the table's stream, so rows are indexed only by the tests.
await useOwnTable('row-index');

const stream = await import('../../functions/workers/index-rows.ts');
const schedule = await import('../../functions/workers/check-row-index.ts');

const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
const minute = 60_000;

/**
 * Creates an organization with `count` ticket transactions, one per second. The last one is about
 * `minutesAgo` minutes old.
 */
async function organizationWith(count: number, minutesAgo = 10) {
  const organizationId = newId('org', Date.now());
  const start = Date.now() - minutesAgo * minute - count * 1000;
  const rows = await rowsAt(
    organizationId,
    times(count, (i) => start + i * 1000),
  );
  return { organizationId, report: { organizationId, report: 'tickets' as const }, rows, start };
}

/** Writes ticket transactions of a new user at the given times (epoch milliseconds). */
async function rowsAt(organizationId: string, at: number[]): Promise<Written[]> {
  const rows: Written[] = [];
  let writer: User = userOf(organizationId, newId('usr', at[0]!));
  for (const time of at) {
    const posted = await transactionOf(writer, 'tickets', time);
    writer = posted.user;
    rows.push(posted.record as Written);
  }
  await writeRecords(rows);
  return rows;
}

const streamEventOf = (rows: Written[]) =>
  ({
    Records: rows.map((row) => ({ dynamodb: { NewImage: marshall(row) as Record<string, AttributeValue> } })),
  }) as DynamoDBStreamEvent;

const indexOf = (organizationId: string) =>
  readRowIndex({ organizationId, report: 'tickets' }, { consistent: true });
const indexedRows = async (organizationId: string) => rowCountOf(await indexOf(organizationId));
const pageOf = (organizationId: string, query: object) =>
  reportPage<Written>(organizationId, 'tickets', { page: 0, page_size: 10, ...query }, ['hash'], {
    now: Date.now(),
  });
const total = async (organizationId: string) => (await pageOf(organizationId, {})).paging.total_count;
const hashesOf = (rows: Written[]) => rows.map(({ hash }) => hash);

describe('a stream batch of new records', () => {
  test('indexes all settled rows', async () => {
    const { organizationId, rows } = await organizationWith(200);
    await stream.handler(streamEventOf(rows.slice(-1)), context);
    expect(await indexedRows(organizationId)).toBe(200);
    expect(await total(organizationId)).toBe(200);
  });

  test('leaves the rows of the last minute unindexed', async () => {
    const { organizationId, rows } = await organizationWith(50, 0);
    await stream.handler(streamEventOf(rows), context);
    expect(await indexedRows(organizationId)).toBe(0);
    expect(await total(organizationId)).toBe(50);
  });

  test('changes nothing when it is delivered again', async () => {
    const { organizationId, rows } = await organizationWith(130);
    await stream.handler(streamEventOf(rows), context);
    const { version } = await indexOf(organizationId);
    await stream.handler(streamEventOf(rows), context);
    expect((await indexOf(organizationId)).version).toBe(version);
  });

  test('adds a late row to the block of its time', async () => {
    const { organizationId, rows, start } = await organizationWith(200);
    await stream.handler(streamEventOf(rows.slice(-1)), context);
    const late = await rowsAt(organizationId, [start + 70_500]);
    await stream.handler(streamEventOf(late), context);
    expect(await total(organizationId)).toBe(201);
    const { rows: found } = await pageOf(organizationId, { page: 71, page_size: 1 });
    expect(hashesOf(found)).toEqual(hashesOf(late));
  });

  test('counts late rows even if other rows of the batch are indexed', async () => {
    const { organizationId, report, rows, start } = await organizationWith(200);
    await extendRowIndex(report, Date.parse(rows[100]!.date_created) + minute);
    expect(await indexedRows(organizationId)).toBe(100);
    const late = await rowsAt(organizationId, [start + 70_500]);
    await stream.handler(streamEventOf([...late, ...rows.slice(100)]), context);
    expect(await indexedRows(organizationId)).toBe(201);
    expect(await total(organizationId)).toBe(201);
  });

  test('counts late rows even if a concurrent call stores an older count afterwards', async () => {
    const { organizationId, rows, start } = await organizationWith(200);
    await stream.handler(streamEventOf(rows.slice(-1)), context);
    const first = await rowsAt(organizationId, [start + 20_500]);
    let writes = 0;
    const slowly = async ({ operation }: Call) => {
      if (operation !== 'TransactWriteItems' || ++writes > 1) return undefined;
      await stream.handler(streamEventOf(await rowsAt(organizationId, [start + 20_700])), context);
      return undefined;
    };
    await watchingCalls(tableClient, () => stream.handler(streamEventOf(first), context), slowly);
    expect(await total(organizationId)).toBe(202);
  });

  test('with late rows changes only one block', async () => {
    const { organizationId, report, rows, start } = await organizationWith(100);
    await extendRowIndex(report, Date.now(), { rowsPerBlock: 8 });
    const late = await rowsAt(organizationId, [start + 20_500, start + 20_600]);
    const { calls } = await watchingCalls(tableClient, () => stream.handler(streamEventOf(late), context));
    const writes = calls.filter(({ operation }) => operation === 'TransactWriteItems');
    // One transaction writes the index's state, the year's day counts and two copies of the changed block.
    expect(writes.map(({ actions }) => actions)).toEqual([times(4, () => 'PutItem')]);
    const inOrder = [...rows.slice(0, 21), ...late, ...rows.slice(21)];
    for (const page of [0, 3, 11, 33]) {
      const { rows: found } = await pageOf(organizationId, { page, page_size: 3 });
      expect(hashesOf(found)).toEqual(hashesOf(inOrder.slice(3 * page, 3 * page + 3)));
    }
  });

  test('is retried while the table’s index does not show a late row', async () => {
    const { organizationId, rows, start } = await organizationWith(130);
    await stream.handler(streamEventOf(rows), context);
    const { record } = await transactionOf(userOf(organizationId, newId('usr', 0)), 'tickets', start + 500);
    const late = [record as Written];
    await expect(stream.handler(streamEventOf(late), context)).rejects.toMatchObject({
      name: 'NotVisibleYet',
    });
    await writeRecords(late);
    await stream.handler(streamEventOf(late), context);
    expect(await total(organizationId)).toBe(131);
  });

  test('may contain items that are not records', async () => {
    const nothing = { Records: [{ dynamodb: {} }, {}] } as DynamoDBStreamEvent;
    expect(await stream.handler(nothing, context)).toEqual({ batchItemFailures: [] });
  });
});

describe('the scheduled check', () => {
  test('indexes the rows after which no further record came', async () => {
    const { organizationId, rows } = await organizationWith(10);
    await stream.handler(streamEventOf(rows), context);
    await rowsAt(
      organizationId,
      times(100, (i) => Date.now() - 5 * minute + i),
    );
    await schedule.handler({}, context);
    expect(await indexedRows(organizationId)).toBe(110);
  });

  test('finds a missed row of the last half hour', async () => {
    const { organizationId, rows, start } = await organizationWith(200);
    await stream.handler(streamEventOf(rows), context);
    await rowsAt(organizationId, [start + 20_500]);
    expect(await total(organizationId)).toBe(200);
    await schedule.handler({}, context);
    expect(await total(organizationId)).toBe(201);
  });

  test('skips a report with a broken index and continues with the others', async () => {
    const [one, other] = [await organizationWith(10), await organizationWith(10)];
    for (const { rows } of [one, other]) await stream.handler(streamEventOf(rows), context);
    const { pk, sk } = dayCountsKey(one.organizationId, 'tickets', '2000');
    await putItem({ pk, sk, year: '2000', rows: Uint8Array.of(1) });
    await putItem({ ...indexStateKey(one.organizationId, 'tickets'), version: 1 });
    await rowsAt(
      other.organizationId,
      times(60, (i) => Date.now() - 5 * minute + i),
    );
    await schedule.handler({}, context);
    expect(await indexedRows(other.organizationId)).toBe(70);
  });
});

describe('closing a day', () => {
  /** Creates an organization with `count` rows on a past day, one per minute. */
  async function withDay(count: number) {
    const day = dayOf(Date.now() - 2 * 24 * 60 * minute);
    const organizationId = newId('org', 0);
    const rows = await rowsAt(
      organizationId,
      times(count, (i) => startOfDay(day) + i * minute),
    );
    const close = (tickets: number, hasTime = () => true) =>
      checkReportsOfDay(organizationId, day, { tickets, entries: 0, outcomes: 0 }, hasTime);
    return { organizationId, report: { organizationId, report: 'tickets' as const }, day, rows, close };
  }

  test('indexes the last rows of the day', async () => {
    const { organizationId, close } = await withDay(3);
    expect(await close(3)).toBe(true);
    expect(await indexedRows(organizationId)).toBe(3);
  });

  test('returns false if there was no time for all rows', async () => {
    const { organizationId, report, day, close } = await withDay(60);
    await extendRowIndex(report, startOfDay(day) + 3 * minute, { rowsPerBlock: 1 });
    expect(await close(60, () => false)).toBe(false);
    expect(await indexedRows(organizationId)).toBeLessThan(60);
    expect(await close(60)).toBe(true);
    expect(await indexedRows(organizationId)).toBe(60);
  });

  test('finds a single missed row of the day', async () => {
    const { organizationId, report, day, close } = await withDay(300);
    await extendRowIndex(report, Date.now(), { rowsPerBlock: 4 });
    await rowsAt(organizationId, [startOfDay(day) + 211.5 * minute]);
    const { calls } = await watchingCalls(tableClient, () => close(301));
    expect(await indexedRows(organizationId)).toBe(301);
    expect(calls.filter(({ operation }) => operation === 'TransactWriteItems')).toHaveLength(1);
    // The recount reads fewer than 20 of the day's 76 blocks to find the missed row.
    expect(calls.filter(({ index }) => index).length).toBeLessThan(20 * shardCount);
  });

  test('does not fail if the index is broken', async () => {
    const { organizationId, close } = await withDay(3);
    await putItem({
      ...dayCountsKey(organizationId, 'tickets', '2000'),
      year: '2000',
      rows: Uint8Array.of(1),
    });
    await putItem({ ...indexStateKey(organizationId, 'tickets'), version: 1 });
    await close(3);
  });
});

describe('a page', () => {
  test('takes three round trips at any position', async () => {
    const { organizationId, report, rows } = await organizationWith(800);
    await extendRowIndex(report, Date.now(), { rowsPerBlock: 8 });
    const at = (row: number) => Date.parse(rows[row]!.date_created);
    for (const [from, to] of [
      [0, 800],
      [40, 290],
      [17, 799],
      [300, 301],
    ] as const) {
      const inRange = rows.slice(from, to);
      const range = { start: at(from), ...(to < 800 && { end: at(to) }) };
      const last = Math.ceil(inRange.length / 30) - 1;
      for (const page of [0, Math.floor(last / 2), last]) {
        const { result, trips, items } = await countRoundTrips(() =>
          pageOf(organizationId, { ...range, page, page_size: 30 }),
        );
        expect(result.paging.total_count).toBe(to - from);
        expect(hashesOf(result.rows)).toEqual(hashesOf(inRange.slice(30 * page, 30 * page + 30)));
        expect(trips).toBeLessThanOrEqual(3);
        expect(items).toBeLessThanOrEqual(30 + 2 * 8);
      }
    }
  });

  test('reads few rows beside its own, even if its rows are of several days', async () => {
    const organizationId = newId('org', Date.now());
    const start = Date.now() - 400 * 30 * minute - 10 * minute;
    const rows = await rowsAt(
      organizationId,
      times(400, (i) => start + i * 30 * minute),
    );
    await extendRowIndex({ organizationId, report: 'tickets' }, Date.now(), { rowsPerBlock: 8 });
    for (const page of [0, 1, 5, 9, 19]) {
      const { result, items } = await countRoundTrips(() => pageOf(organizationId, { page, page_size: 20 }));
      expect(hashesOf(result.rows)).toEqual(hashesOf(rows.slice(20 * page, 20 * page + 20)));
      expect(items).toBeLessThanOrEqual(20 + 2 * 8);
    }
  });

  test('may start and end at a time whose ULID ends in zeros', async () => {
    const organizationId = newId('org', Date.now());
    // A multiple of 32³ milliseconds. ULIDs encode times in base 32, so the ULID's time ends in three zeros.
    const round = 32 ** 3 * Math.floor((Date.now() - 60 * minute) / 32 ** 3);
    await rowsAt(organizationId, [
      ...times(8, (i) => round - 8000 + i * 1000),
      ...times(16, (i) => round + i * 1000),
    ]);
    await extendRowIndex({ organizationId, report: 'tickets' }, Date.now(), { rowsPerBlock: 8 });
    for (const [range, count] of [
      [{ start: round }, 16],
      [{ end: round }, 8],
      [{ start: round, end: round + 4000 }, 4],
    ] as const) {
      expect((await pageOf(organizationId, range)).paging.total_count).toBe(count);
    }
  });

  test('is found without counting rows, even if many rows share one time', async () => {
    const organizationId = newId('org', Date.now());
    const start = Date.now() - 60 * minute;
    const users = times(4, () =>
      rowsAt(
        organizationId,
        times(40, (i) => start + i),
      ),
    );
    const rows = (await Promise.all(users)).flat();
    await extendRowIndex({ organizationId, report: 'tickets' }, Date.now(), { rowsPerBlock: 6 });
    const inOrder = rows.sort((a, b) => (timeSortKey(a) < timeSortKey(b) ? -1 : 1));
    for (const [from, below] of times(9, (i) => [i, 30 - 2 * i] as const)) {
      const page = 1 + (from % 3);
      const query = { start: start + from, end: start + below, page, page_size: 7 };
      const { result, calls } = await watchingCalls(tableClient, () => pageOf(organizationId, query));
      const within = hashesOf(inOrder.slice(4 * from, 4 * below));
      expect(result.paging.total_count).toBe(within.length);
      expect(hashesOf(result.rows)).toEqual(within.slice(7 * page, 7 * page + 7));
      expect(calls.filter(({ index }) => index)).toHaveLength(shardCount);
    }
  });

  test('is read again if the index changes between its reads', async () => {
    const { organizationId, report, rows, start } = await organizationWith(200);
    await extendRowIndex(report, Date.now(), { rowsPerBlock: 8 });
    let isWritten = false;
    let late: Written[] = [];
    const writing = async ({ operation, index }: Call, nth: number) => {
      // The page's first query reads the day counts. The late row is written before the next query.
      if (isWritten || nth === 0 || index || operation !== 'Query') return undefined;
      isWritten = true;
      late = await rowsAt(organizationId, [start + 12_500]);
      await stream.handler(streamEventOf(late), context);
      return undefined;
    };
    const range = { start: start + 10_000, end: start + 30_000 };
    const { result } = await watchingCalls(tableClient, () => pageOf(organizationId, range), writing);
    expect(isWritten).toBe(true);
    expect(result.paging.total_count).toBe(21);
    const inOrder = [...rows.slice(10, 13), ...late, ...rows.slice(13, 19)];
    expect(hashesOf(result.rows)).toEqual(hashesOf(inOrder));
  });

  test('is read again if an eventually consistent read misses the block at the end of its range', async () => {
    const { organizationId, report, rows, start } = await organizationWith(200);
    await extendRowIndex(report, Date.now(), { rowsPerBlock: 8 });
    const stored = await readRange(blocksByTime(organizationId, 'tickets', 1));
    // The third query asks for the last block before the range's end. Answers with an older block, like a replica that
    // lacks the newest blocks.
    const lacking = (_: Call, nth: number) => (nth === 2 ? { answer: { Items: [stored[3]] } } : undefined);
    const range = { start: start + 10_000, end: start + 50_000 };
    const { result } = await watchingCalls(tableClient, () => pageOf(organizationId, range), lacking);
    expect(result.paging.total_count).toBe(40);
    expect(hashesOf(result.rows)).toEqual(hashesOf(rows.slice(10, 20)));
  });
});

describe('a rebuild', () => {
  test('creates a new index with blocks of the default size and deletes the old blocks', async () => {
    const { organizationId, report } = await organizationWith(300);
    await extendRowIndex(report, Date.now(), { rowsPerBlock: 8 });
    await rebuildIndex(report, Date.now());
    const { build, rowsPerBlock } = await indexOf(organizationId);
    expect([build, rowsPerBlock]).toEqual([2, 512]);
    expect(await indexedRows(organizationId)).toBe(300);
    expect(await readRange(blocksBefore(organizationId, 'tickets', build))).toEqual([]);
    expect(await total(organizationId)).toBe(300);
  });

  test('keeps reports correct while it runs, even if rows are indexed meanwhile', async () => {
    const { organizationId, report, rows } = await organizationWith(300);
    const rowsPerBlock = 4;
    const query = { start: Date.parse(rows[40]!.date_created), page: 3, page_size: 50 };
    const reading = async () => {
      const page = await pageOf(organizationId, query);
      expect(page.paging.total_count).toBe(260);
      expect(hashesOf(page.rows)).toEqual(hashesOf(rows.slice(190, 240)));
    };
    let working = true;
    const work = async () => {
      await extendRowIndex(report, Date.now(), { rowsPerBlock });
      await Promise.all([
        rebuildIndex(report, Date.now(), { rowsPerBlock }),
        extendRowIndex(report, Date.now()),
      ]);
      await rebuildIndex(report, Date.now(), { rowsPerBlock });
      working = false;
    };
    const read = async () => {
      while (working) await reading();
    };
    await Promise.all([work(), read(), read()]);
    await reading();
  });
});

test('a write is one transaction, even if its rows span many years', async () => {
  const organizationId = newId('org', 0);
  const report = { organizationId, report: 'tickets' as const };
  await rowsAt(
    organizationId,
    times(45, (i) => Date.UTC(1975 + i, 5, 1)),
  );
  const { calls } = await watchingCalls(tableClient, () =>
    extendRowIndex(report, Date.now(), { minRows: 1 }),
  );
  const writes = calls.filter(({ operation }) => operation === 'TransactWriteItems');
  // The first transaction writes two copies of 30 blocks, the day counts of 30 years, and the state. The second one
  // writes the same for 15 years.
  expect(writes.map(({ actions }) => actions.length)).toEqual([91, 46]);
  expect(await indexedRows(organizationId)).toBe(45);
  expect((await pageOf(organizationId, { start: Date.UTC(1990, 0, 1), page: 2 })).rows).toHaveLength(10);
});

test('a recount fails at a block that somebody has changed to end where it begins, instead of running for ever', async () => {
  const { organizationId, report } = await organizationWith(64);
  const [first, last] = [ulidTimePart(Date.now() - 60 * minute), ulidTimePart(Date.now())];
  await putItem({
    ...indexStateKey(organizationId, 'tickets'),
    version: 1,
    build: 1,
    last,
    rows_per_block: 512,
  });
  const block = { first, next: first, day: dayOf(Date.now()), number: 0 };
  const key = blockByTimeKey(first, organizationId, 'tickets', 1);
  await putItem({ ...key, ...block, times: packTimes({ ...block, times: [] }) });
  await expect(recountRows(report, { from: first, below: last })).rejects.toThrow('a block without an end');
});

test('each page of a user’s report begins where the page before it ended, across milestones', async () => {
  const { organizationId, rows } = await organizationWith(200);
  const user_id = String(rows[0]!.user_id);
  const pages = [];
  for (const page of times(29, (i) => i)) {
    const { result, items } = await countRoundTrips(() =>
      pageOf(organizationId, { page, page_size: 7, user_id }),
    );
    pages.push(...result.rows);
    // A page reads at most the rows from the milestone before it to its own end.
    expect(items).toBeLessThanOrEqual(64 + 7 + 4);
  }
  expect(hashesOf(pages)).toEqual(hashesOf(rows));
});
