import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import type { User } from '../../shared/accounts/user.ts';
import { newId } from '../../shared/ids.ts';
import { extendFences } from '../../shared/reports/extend-fences.ts';
import { readBlock, readHead } from '../../shared/reports/fence-items.ts';
import { rebuildFences } from '../../shared/reports/repair-fences.ts';
import { reportPage } from '../../shared/reports/reports.ts';
import { fencedRowsIn } from '../../shared/reports/tree.ts';
import { shardCount } from '../../shared/shards.ts';
import { client, get, put } from '../../shared/table/client.ts';
import { fenceHeadKey } from '../../shared/table/fence-keys.ts';
import { timeSortKey } from '../../shared/table/keys.ts';
import { times } from '../support/api.ts';
import { type Call, watchingCalls } from '../support/calls.ts';
import { useOwnTable } from '../support/own-table.ts';
import {
  beginsBlock,
  insertOf,
  transactionOf,
  userOf,
  type Written,
  writeRecords,
} from '../support/records.ts';

// A table of its own, which no local stage listens to.
await useOwnTable('fences');

const stream = await import('../../functions/events/extend-fences.ts');
const schedule = await import('../../functions/events/check-reports.ts');

const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
const minute = 60_000;

/** An organization with so many ticket transactions, a second apart, the last of them some minutes old. */
async function organizationWith(count: number, minutesAgo = 10) {
  const organizationId = newId('org', Date.now());
  const start = Date.now() - minutesAgo * minute - count * 1000;
  const rows = await rowsOf(
    userOf(organizationId, newId('usr', start)),
    times(count, (i) => start + i * 1000),
  );
  await writeRecords(rows);
  return { organizationId, rows, start };
}

/** Rows of which none begins a block. */
async function rowsOf(user: User, at: number[]): Promise<Written[]> {
  const rows: Written[] = [];
  let writer = user;
  for (const time of at) {
    const posted = await transactionOf(writer, 'tickets', time);
    writer = posted.user;
    rows.push(posted.record as Written);
  }
  // The ids of a user's records follow from the user.
  return beginsBlock(rows) ? rowsOf(userOf(user.organization_id, newId('usr', at[0]!)), at) : rows;
}

const told = (rows: Written[]): DynamoDBStreamEvent => ({ Records: rows.map((row) => insertOf(row)) });

const headOf = (organizationId: string) =>
  readHead({ organizationId, report: 'tickets' }, { consistent: true });
const fencedRows = async (organizationId: string) => fencedRowsIn(await headOf(organizationId));
const total = async (organizationId: string) => {
  const { paging } = await reportPage(organizationId, 'tickets', { page: 0, page_size: 10 }, ['amount'], {
    now: Date.now(),
  });
  return paging.total_count;
};

describe('new records', () => {
  test('have fences made of all rows that have settled', async () => {
    const { organizationId, rows } = await organizationWith(200);
    await stream.handler(told(rows.slice(-1)), context);
    expect(await fencedRows(organizationId)).toBe(192);
    expect(await total(organizationId)).toBe(200);
  });

  test('leave the rows of the last minute without fences', async () => {
    const { organizationId, rows } = await organizationWith(50, 0);
    await stream.handler(told(rows), context);
    expect(await fencedRows(organizationId)).toBe(0);
    expect(await total(organizationId)).toBe(50);
  });

  test('change nothing when they come again', async () => {
    const { organizationId, rows } = await organizationWith(130);
    await stream.handler(told(rows), context);
    const { version } = await headOf(organizationId);
    await stream.handler(told(rows), context);
    expect((await headOf(organizationId)).version).toBe(version);
  });

  test('have a late row counted where its time is', async () => {
    const { organizationId, rows, start } = await organizationWith(200);
    await stream.handler(told(rows.slice(-1)), context);
    const late = await rowsOf(userOf(organizationId, newId('usr', start)), [start + 70_500]);
    await writeRecords(late);
    await stream.handler(told(late), context);
    expect(await total(organizationId)).toBe(201);
    const query = { page: 71, page_size: 1 };
    const { rows: found } = await reportPage<Written>(organizationId, 'tickets', query, ['hash'], {
      now: Date.now(),
    });
    expect(found.map(({ hash }) => hash)).toEqual(late.map(({ hash }) => hash));
  });

  test('that are late are counted, though the same batch has others fenced', async () => {
    const { organizationId, rows, start } = await organizationWith(200);
    const report = { organizationId, report: 'tickets' as const };
    await extendFences(report, Date.parse(rows[150]!.date_created) + minute);
    expect(await fencedRows(organizationId)).toBe(144);
    const late = await rowsOf(userOf(organizationId, newId('usr', start)), [start + 70_500]);
    await writeRecords(late);
    await stream.handler(told([...late, ...rows.slice(150)]), context);
    expect(await fencedRows(organizationId)).toBe(192);
    expect(await total(organizationId)).toBe(201);
  });

  test('that are late are counted, though a count from before they came is stored after them', async () => {
    const { organizationId, rows, start } = await organizationWith(200);
    await stream.handler(told(rows.slice(-1)), context);
    const user = () => userOf(organizationId, newId('usr', start));
    const [first, second] = [await rowsOf(user(), [start + 20_500]), await rowsOf(user(), [start + 20_700])];
    await writeRecords(first);
    let writes = 0;
    const slowly = async ({ operation }: Call) => {
      if (operation !== 'TransactWriteItems' || ++writes > 1) return undefined;
      await writeRecords(second);
      await stream.handler(told(second), context);
      return undefined;
    };
    await watchingCalls(client, () => stream.handler(told(first), context), slowly);
    expect(await total(organizationId)).toBe(202);
  });

  test('that come late are read once', async () => {
    const { organizationId, rows } = await organizationWith(200);
    const { calls } = await watchingCalls(client, () => stream.handler(told(rows), context));
    expect(await fencedRows(organizationId)).toBe(192);
    expect(calls.filter(({ index }) => index)).toHaveLength(shardCount);
  });

  test('leave their fences to a later batch for some seconds after an extension, unless one of them is late', async () => {
    const organizationId = newId('org', 0);
    const start = Date.now() - 10 * minute;
    const rows = await rowsOf(
      userOf(organizationId, newId('usr', 0)),
      times(400, (i) => start + i * 100),
    );
    await writeRecords(rows);
    const fencedAfter = async (seconds: number, row: number) => {
      const told = new Set([timeSortKey(rows[row]!)]);
      const now = start + minute + seconds * 1000;
      return fencedRowsIn((await extendFences({ organizationId, report: 'tickets' }, now, { told }))!);
    };
    expect(await fencedAfter(20, 210)).toBe(192);
    expect(await fencedAfter(25, 300)).toBe(192);
    expect(await fencedAfter(25, 240)).toBe(240);
    expect(await fencedAfter(50, 399)).toBe(400);
    expect(await fencedAfter(50, 399)).toBe(400);
  });

  test('come again while the index does not show a late one', async () => {
    const { organizationId, rows, start } = await organizationWith(130);
    await stream.handler(told(rows), context);
    const late = await rowsOf(userOf(organizationId, newId('usr', start)), [start + 500]);
    await expect(stream.handler(told(late), context)).rejects.toMatchObject({ name: 'NotVisibleYet' });
    await writeRecords(late);
    await stream.handler(told(late), context);
    expect(await total(organizationId)).toBe(131);
  });

  test('are told from what is no record', async () => {
    const nothing = { Records: [{ dynamodb: {} }, {}] } as DynamoDBStreamEvent;
    expect(await stream.handler(nothing, context)).toEqual({ batchItemFailures: [] });
  });
});

describe('the check by the schedule', () => {
  test('makes the fences that no further record led to', async () => {
    const { organizationId, rows } = await organizationWith(10);
    await stream.handler(told(rows), context);
    const user = userOf(organizationId, newId('usr', 0));
    await writeRecords(
      await rowsOf(
        user,
        times(100, (i) => Date.now() - 5 * minute + i),
      ),
    );
    await schedule.handler({}, context);
    expect(await fencedRows(organizationId)).toBe(96);
  });

  test('finds a row of the last hour that nobody told of', async () => {
    const { organizationId, rows, start } = await organizationWith(200);
    await stream.handler(told(rows), context);
    await writeRecords(await rowsOf(userOf(organizationId, newId('usr', 0)), [start + 20_500]));
    expect(await total(organizationId)).toBe(200);
    await schedule.handler({}, context);
    expect(await total(organizationId)).toBe(201);
  });

  test('of a report whose fences are broken fails for itself alone', async () => {
    const [one, other] = [await organizationWith(10), await organizationWith(10)];
    for (const { rows } of [one, other]) await stream.handler(told(rows), context);
    await put({ ...fenceHeadKey(one.organizationId, 'tickets'), version: 1 });
    const user = userOf(other.organizationId, newId('usr', 0));
    const later = times(60, (i) => Date.now() - 5 * minute + i);
    await writeRecords(await rowsOf(user, later));
    await schedule.handler({}, context);
    expect(await fencedRows(other.organizationId)).toBe(64);
  });
});

test('a report may begin at the very time that a fence stands for', async () => {
  const organizationId = newId('org', Date.now());
  const report = { organizationId, report: 'tickets' as const };
  const sizes = { fence: 8, block: 2 ** 31, nodes: [], blocks: 0 };
  // The text of such a time ends with zeros, and the fence before it is the text without them.
  const midnight = 32 ** 3 * Math.floor((Date.now() - 60 * minute) / 32 ** 3);
  const rows = await rowsOf(userOf(organizationId, newId('usr', midnight)), [
    ...times(8, (i) => midnight - 8000 + i * 1000),
    ...times(16, (i) => midnight + i * 1000),
  ]);
  await writeRecords(rows);
  await extendFences(report, Date.now(), { sizes });
  for (const [range, count] of [
    [{ start: midnight }, 16],
    [{ end: midnight }, 8],
    [{ start: midnight, end: midnight + 4000 }, 4],
  ] as const) {
    const query = { ...range, page: 0, page_size: 50 };
    const options = { now: Date.now(), sizes };
    const { paging } = await reportPage<Written>(organizationId, 'tickets', query, ['hash'], options);
    expect(paging.total_count).toBe(count);
  }
});

test('the place of any time among named rows is known without a count, however many rows have one time', async () => {
  const organizationId = newId('org', Date.now());
  const report = { organizationId, report: 'tickets' as const };
  const start = Date.now() - 60 * minute;
  const users = times(4, () => userOf(organizationId, newId('usr', start)));
  const rows = (
    await Promise.all(
      users.map((user) =>
        rowsOf(
          user,
          times(40, (i) => start + i),
        ),
      ),
    )
  ).flat();
  await writeRecords(rows);
  await extendFences(report, Date.now(), {
    sizes: { fence: 8, named: true, block: 16, nodes: [], blocks: 5000 },
  });
  const pageOf = async (from: number, below: number, page: number) => {
    const query = { start: start + from, end: start + below, page, page_size: 7 };
    return reportPage<Written>(organizationId, 'tickets', query, ['hash'], { now: Date.now() });
  };
  const inOrder = rows.map((row) => [timeSortKey(row), row.hash]).sort((a, b) => (a[0]! < b[0]! ? -1 : 1));
  for (const [from, below] of times(9, (i) => [i, 30 - 2 * i] as const)) {
    const page = 1 + (from % 3);
    const { result, calls } = await watchingCalls(client, () => pageOf(from, below, page));
    const within = inOrder.slice(4 * from, 4 * below).map(([, hash]) => hash);
    expect(result.paging.total_count).toBe(within.length);
    expect(result.rows.map(({ hash }) => hash)).toEqual(within.slice(7 * page, 7 * page + 7));
    expect(calls.filter(({ index }) => index)).toHaveLength(shardCount);
  }
});

test('fences of before that were not of each row stay so, until they are rebuilt', async () => {
  const { organizationId, rows } = await organizationWith(300);
  const report = { organizationId, report: 'tickets' as const };
  const before = { fence: 16, block: 4096, nodes: [2 ** 20, 2 ** 28], blocks: 5000 };
  await extendFences(report, Date.parse(rows[199]!.date_created) + minute, { sizes: before });
  await extendFences(report, Date.now());
  const block = () => readBlock(report, '8', { consistent: true });
  expect((await block())!.keys).toHaveLength(17);
  const third = Date.parse(rows[2]!.date_created);
  const since = async () => {
    const query = { start: third, page: 0, page_size: 1 };
    return (await reportPage(organizationId, 'tickets', query, [], { now: Date.now() })).paging.total_count;
  };
  expect(await since()).toBe(298);
  await rebuildFences(report, Date.now());
  expect((await block())!.keys.length).toBeGreaterThan(280);
  expect(await since()).toBe(298);
});

test('fences of before go on as far apart as they are, until they are rebuilt', async () => {
  const { organizationId, rows } = await organizationWith(300);
  const report = { organizationId, report: 'tickets' as const };
  await extendFences(report, Date.parse(rows[199]!.date_created) + minute, {
    sizes: { fence: 64, block: 32_768, nodes: [], blocks: 0 },
  });
  const { sizes, ...head } = (await get(fenceHeadKey(organizationId, 'tickets')))!;
  await put(head);
  expect(await fencedRows(organizationId)).toBe(192);
  await extendFences(report, Date.now());
  expect([await fencedRows(organizationId), await total(organizationId)]).toEqual([256, 300]);
  await rebuildFences(report, Date.now());
  expect([await fencedRows(organizationId), await total(organizationId)]).toEqual([288, 300]);
});

test('reports are right while fences are extended and rebuilt', async () => {
  const { organizationId, rows } = await organizationWith(300);
  const report = { organizationId, report: 'tickets' as const };
  const sizes = { fence: 8, block: 10, nodes: [30, 90], blocks: 10 };
  const from = Date.parse(rows[40]!.date_created);
  const query = { start: from, page: 3, page_size: 50 };
  const reading = async () => {
    const page = await reportPage<Written>(organizationId, 'tickets', query, ['hash'], {
      now: Date.now(),
    });
    expect(page.paging.total_count).toBe(260);
    expect(page.rows.map(({ hash }) => hash)).toEqual(rows.slice(190, 240).map(({ hash }) => hash));
  };
  let working = true;
  const work = async () => {
    await extendFences(report, Date.now(), { sizes, rowsPerWrite: 20 });
    await Promise.all([
      rebuildFences(report, Date.now(), { sizes, rowsPerWrite: 30 }),
      extendFences(report, Date.now(), { sizes }),
    ]);
    await rebuildFences(report, Date.now(), { sizes });
    working = false;
  };
  const read = async () => {
    while (working) await reading();
  };
  await Promise.all([work(), read(), read()]);
  await reading();
});
