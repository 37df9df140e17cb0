import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../shared/ids.ts';
import { extendFences } from '../../shared/reports/extend-fences.ts';
import { readHead } from '../../shared/reports/fence-items.ts';
import { rebuildFences, repairFences } from '../../shared/reports/repair-fences.ts';
import { reportPage } from '../../shared/reports/reports.ts';
import { type Child, fencedRowsIn, gathered, levelAt } from '../../shared/reports/tree.ts';
import { client, get, put } from '../../shared/table/client.ts';
import { fenceHeadKey } from '../../shared/table/fence-keys.ts';
import { recordKey, recordTimeKey } from '../../shared/table/keys.ts';
import { fastUlid } from '../bench/meter.ts';
import { times } from '../support/api.ts';
import { type Call, watchingCalls } from '../support/calls.ts';
import { countRoundTrips } from '../support/count-round-trips.ts';
import { useOwnTable } from '../support/own-table.ts';
import { transactionOf, userOf, writeItems } from '../support/records.ts';

// A table of its own, where nobody makes fences.
await useOwnTable('nodes');

const minute = 60_000;
const sizes = { fence: 4, block: 16, nodes: [64, 256], blocks: 100 };

type Row = { transaction_id: string; at: number };

/** An organization with so many ticket transactions, a second apart, the last of them ten minutes old. */
async function organizationWith(count: number) {
  const organizationId = newId('org', Date.now());
  const user = userOf(organizationId, newId('usr', 0));
  const start = Date.now() - 10 * minute - count * 1000;
  const { record } = await transactionOf(user, 'tickets', start);
  const rowAt = (at: number) => {
    const ulid = fastUlid(at);
    const keys = {
      ...recordKey(organizationId, user.user_id, 'tickets', ulid),
      ...recordTimeKey(organizationId, user.user_id, 'tickets', ulid),
    };
    return { ...record, ...keys, transaction_id: `txn_${ulid}`, at };
  };
  const rows = times(count, (i) => rowAt(start + i * 1000));
  await writeItems(rows);
  return { report: { organizationId, report: 'tickets' as const }, rows: rows as Row[], rowAt };
}

type Organization = Awaited<ReturnType<typeof organizationWith>>;

/** A page of a report, held against a list, and the round trips that it takes. */
async function tripsOf(
  { report, rows }: Organization,
  asked: object,
  fitting: Row[] = rows,
): Promise<number> {
  const query = { page: 0, page_size: 30, ...asked };
  const { result, trips } = await countRoundTrips(() =>
    reportPage<Row>(report.organizationId, 'tickets', query, ['transaction_id'], { now: Date.now() }),
  );
  expect(result.paging.total_count).toBe(fitting.length);
  const onThePage = fitting.slice(query.page * query.page_size).slice(0, query.page_size);
  expect(result.rows.map(({ transaction_id }) => transaction_id)).toEqual(
    onThePage.map(({ transaction_id }) => transaction_id),
  );
  return trips;
}

describe('a report with nodes', () => {
  let organization: Organization;
  beforeAll(async () => {
    organization = await organizationWith(4000);
    while (!(await extendFences(organization.report, Date.now(), { sizes }))) {}
  });

  test('has a head of few children', async () => {
    const head = await readHead(organization.report, { consistent: true });
    expect(fencedRowsIn(head)).toBeGreaterThan(3990);
    expect(head.children[0]!.level).toBe(2);
    expect(head.children.length).toBeLessThan(80);
  });

  test('has each page in five round trips', async () => {
    const pages = times(14, (i) => i * 10);
    for (const page of pages) expect(await tripsOf(organization, { page })).toBeLessThanOrEqual(5);
  });

  test('has each page of a range in five round trips', async () => {
    const { rows } = organization;
    for (const [from, to] of [
      [0, 3999],
      [17, 3500],
      [1000, 1200],
      [2500, 2500],
      [3990, 3999],
    ] as const) {
      const fitting = rows.slice(from, to);
      const range = { start: rows[from]!.at, end: rows[to]!.at };
      const last = Math.max(0, Math.ceil(fitting.length / 30) - 1);
      for (const page of [0, Math.floor(last / 2), last]) {
        expect(await tripsOf(organization, { ...range, page }, fitting)).toBeLessThanOrEqual(5);
      }
    }
  });

  test('writes one node of each level again for a late row', async () => {
    const { report, rows, rowAt } = organization;
    const places = times(100, (i) => rowAt(rows[5]!.at + 1 + i));
    const late = places.find(({ transaction_id }) => levelAt(transaction_id.slice(4), sizes) < 0)!;
    await writeItems([late]);
    const { calls } = await watchingCalls(client, () => repairFences(report, [late.transaction_id.slice(4)]));
    const written = calls.filter(({ operation }: Call) => operation === 'TransactWriteItems');
    // Head, block, node, and node of nodes.
    expect(written.map(({ actions }) => actions)).toEqual([times(4, () => 'PutItem')]);
    rows.splice(6, 0, late);
    expect(await tripsOf(organization, {})).toBeLessThanOrEqual(5);
  });
});

test('a report that is not that large has each page in three round trips', async () => {
  const organization = await organizationWith(800);
  await extendFences(organization.report, Date.now(), { sizes });
  for (const page of [0, 5, 26]) expect(await tripsOf(organization, { page })).toBe(3);
  const { rows } = organization;
  const range = { start: rows[40]!.at, end: rows[290]!.at };
  expect(await tripsOf(organization, { ...range, page: 4 }, rows.slice(40, 290))).toBe(3);
});

test('a head of before grows nodes as its report goes on', async () => {
  const organization = await organizationWith(1000);
  const { report, rows } = organization;
  await extendFences(report, rows[900]!.at + minute, { sizes });
  const stored = (await get<{ firsts: string[] }>(fenceHeadKey(report.organizationId, 'tickets')))!;
  expect(stored.firsts.length).toBeGreaterThan(30);
  // One of before had blocks alone, however many.
  await put({ ...stored, sizes: { ...sizes, blocks: 20 } });
  expect(await tripsOf(organization, { page: 20 })).toBe(3);
  await extendFences(report, Date.now());
  expect((await readHead(report, { consistent: true })).children[0]!.level).toBeGreaterThan(0);
  for (const page of [0, 20, 33]) expect(await tripsOf(organization, { page })).toBeLessThanOrEqual(5);
});

test('a page is read again if one of its nodes becomes two in between', async () => {
  const organization = await organizationWith(1000);
  const { report, rows, rowAt } = organization;
  await extendFences(report, Date.now(), { sizes: { ...sizes, nodes: [64, 2 ** 31], blocks: 0 } });
  const { children } = await readHead(report, { consistent: true });
  const nodes = children.filter(({ level }) => level === 1);
  const largest = nodes.reduce((a, b) => (b.counts[0]! > a.counts[0]! ? b : a));
  const begin = rows.findIndex(({ transaction_id }) => transaction_id.slice(4) >= largest.first);
  const middle = begin + Math.floor(largest.counts[0]! / 2);
  const ulidOf = ({ transaction_id }: Row) => transaction_id.slice(4);
  const places = times(5000, (i) => rowAt(rows[middle]!.at + 1 + (i % 900)));
  const late = places.find((row) => levelAt(ulidOf(row), sizes) > 0)!;
  let split = false;
  const splitting = async ({ operation, index }: Call, nth: number) => {
    // The first query is of the head.
    if (split || nth === 0 || index || operation !== 'Query') return undefined;
    split = true;
    await writeItems([late]);
    await repairFences(report, [ulidOf(late)]);
    return undefined;
  };
  rows.splice(middle + 1, 0, late);
  const page = Math.floor((middle + 1) / 30);
  await watchingCalls(client, () => tripsOf(organization, { page }), splitting);
  expect(split).toBe(true);
});

test('a rebuild of smaller blocks than those of today leaves none that is in the way', async () => {
  const organization = await organizationWith(200);
  const { report, rows } = organization;
  await extendFences(report, Date.now(), { sizes });
  await rebuildFences(report, Date.now());
  await tripsOf(organization, { start: rows[150]!.at }, rows.slice(150));
});

describe('nodes', () => {
  const blocks = (count: number) =>
    times(count, (i): Child => ({ first: fastUlid(i), level: 0, counts: [i % 7] }));

  const small = { fence: 1, block: 1, nodes: [2, 4], blocks: 10 };

  test('are none while a head has room for all blocks, and then all that there can be', () => {
    expect(gathered(blocks(10), small)).toMatchObject({ nodes: [] });
    expect(gathered(blocks(40), small).nodes.length).toBeGreaterThan(0);
  });

  test('are the same however many blocks come at a time', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), (some, more) => {
        const all = blocks(some + more);
        const before = gathered(all.slice(0, some), small);
        const after = gathered([...before.children, ...all.slice(some)], small);
        const atOnce = gathered(all, small);
        expect(after.children).toEqual(atOnce.children);
        expect([...before.nodes, ...after.nodes]).toEqual(atOnce.nodes);
      }),
    );
  });

  test('come to no more than a transaction holds, and the others at the next time', () => {
    const all = blocks(400);
    let { children, nodes } = gathered(all, small);
    const made: number[] = [];
    for (; nodes.length > 0; { children, nodes } = gathered(children, small)) made.push(nodes.length);
    expect(made.slice(0, -1)).toEqual(made.slice(0, -1).map(() => 50));
    expect(made.length).toBeGreaterThan(3);
    expect(children.reduce((sum, { counts }) => sum + counts[0]!, 0)).toBe(
      all.reduce((sum, { counts }) => sum + counts[0]!, 0),
    );
  });
});
