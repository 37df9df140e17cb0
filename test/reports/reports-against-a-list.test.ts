import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listOf } from '../../shared/accounts/records.ts';
import type { User } from '../../shared/accounts/user.ts';
import { newId } from '../../shared/ids.ts';
import { extendFences } from '../../shared/reports/extend-fences.ts';
import { readBlock, readHead, readNode } from '../../shared/reports/fence-items.ts';
import {
  type Block,
  emptyBlock,
  type FenceSizes,
  fenceBuilder,
  startsBlock,
} from '../../shared/reports/fences.ts';
import { rebuildFences, recountLastHour, repairFences } from '../../shared/reports/repair-fences.ts';
import { listsOf } from '../../shared/reports/report-lists.ts';
import { type ReportQuery, reportPage } from '../../shared/reports/reports.ts';
import { type Child, childOf, type FenceNode, gathered } from '../../shared/reports/tree.ts';
import { fenceHeadKey } from '../../shared/table/fence-keys.ts';
import { timeSortKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import type { Account } from '../../shared/vocabulary.ts';
import { useOwnTable } from '../support/own-table.ts';
import { outcomeOf, transactionOf, userOf, type Written, writeRecords } from '../support/records.ts';

// A table of its own: the local stage would make fences for the rows of its table as well, with the ordinary sizes.
await useOwnTable('reports');

/** `RUNS=300 npx vitest …` compares as many histories; each makes some fifty comparisons. */
const runs = Number(process.env.RUNS ?? 2);

const kinds = ['tickets', 'entries', 'outcomes'] as const;
type Kind = (typeof kinds)[number];

const minute = 60_000;
const day = 24 * 60 * minute;
const gap = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 5000 }) },
  { weight: 2, arbitrary: fc.integer({ min: minute, max: day }) },
  { weight: 1, arbitrary: fc.integer({ min: day, max: 200 * day }) },
);
const write = fc.record({
  step: fc.constant('write' as const),
  organization: fc.constantFrom(0, 0, 0, 1),
  user: fc.nat(2),
  account: fc.constantFrom<(Account | 'outcomes')[]>(
    'tickets',
    'truck',
    'truck',
    'flight',
    'flight',
    'outcomes',
  ),
  gaps: fc.array(gap, { minLength: 10, maxLength: 90, size: 'max' }),
  late: fc.constantFrom(true, false, false),
});
const fencing = fc.record({
  step: fc.constant('fence' as const),
  organization: fc.nat(1),
  reports: fc.subarray([...kinds], { minLength: 1 }),
  how: fc.constantFrom('once', 'twice', 'side by side', 'killed', 'rebuilt', 'rechecked'),
  waited: fc.constantFrom(0, 2 * minute, 2 * minute),
});
// Doubles would mostly be tiny or almost 1, and so would be the ranges.
const share = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
const query = fc.record({
  organization: fc.constantFrom(0, 0, 0, 1),
  kind: fc.constantFrom(...kinds, 'entries' as const),
  from: fc.option(share, { freq: 3 }),
  to: fc.option(share, { freq: 3 }),
  onARow: fc.boolean(),
  size: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 1000 })),
  page: fc.oneof(fc.nat(3), share),
  user: fc.option(fc.nat(2), { freq: 3 }),
  type: fc.option(fc.constantFrom('truck' as const, 'flight' as const)),
});
const queries = fc.record({
  step: fc.constant('query' as const),
  asked: fc.array(query, { minLength: 20, maxLength: 40, size: 'max' }),
});
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;
const history = fc.record({
  /** What is asked in the end, whatever came before. */
  last: queries,
  steps: fc.array(
    fc.oneof(
      { weight: 3, arbitrary: write },
      { weight: 2, arbitrary: fencing },
      { weight: 1, arbitrary: queries },
    ),
    { minLength: 15, maxLength: 30, size: 'max' },
  ),
  sizes: fc.constantFrom<FenceSizes[]>(
    { fence: 2, block: 3, nodes: [6, 18, 54], blocks: 0 },
    { fence: 2, named: true, block: 7, nodes: [28, 112], blocks: 20 },
    { fence: 4, block: 40, nodes: [80], blocks: 5 },
    { fence: 16, block: 100, nodes: [200, 400], blocks: 0 },
    { fence: 16, named: true, block: 50, nodes: [200, 400], blocks: 0 },
    { fence: 64, block: 32_768, nodes: [2 ** 20, 2 ** 28], blocks: 5000 },
  ),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
type Step<Name> = Extract<History['steps'][number], { step: Name }>;

/** The tree over some blocks: what its head has, and all nodes, of which `gathered` makes some at a time. */
function allGathered(blocks: Child[], sizes: FenceSizes) {
  const nodes: FenceNode[] = [];
  for (let children = blocks; ; ) {
    const more = gathered(children, sizes);
    nodes.push(...more.nodes);
    if (more.nodes.length === 0) return { children, nodes };
    children = more.children;
  }
}

const byPlace = (a: FenceNode, b: FenceNode) =>
  a.level - b.level || (a.first < b.first ? -1 : a.first > b.first ? 1 : 0);

/** All that was written, as plain lists; and the clock. */
class World {
  now = Date.parse('2023-05-01T12:00:00Z');
  readonly ids = [newId('org', this.now), newId('org', this.now)];
  readonly rows: Written[][] = [[], []];
  readonly users: User[][];
  readonly sizes: FenceSizes;
  compared = 0;
  levels = 0;
  constructor(sizes: FenceSizes) {
    this.sizes = sizes;
    this.users = this.ids.map((id) => [0, 1, 2].map(() => userOf(id, newId('usr', this.now))));
  }

  async write({ organization, user, account, gaps, late }: Step<'write'>) {
    const id = this.ids[organization]!;
    // A late row is one with a time that others have passed; its user's ids may not run backwards.
    let writer = late ? userOf(id, newId('usr', this.now)) : this.users[organization]![user]!;
    let at = late ? this.now - (gaps[0]! % (2 * day)) - 5 * minute : this.now;
    const written: Written[] = [];
    for (const pause of late ? gaps.slice(0, 5) : gaps) {
      at += late ? pause % minute : pause;
      const next =
        account === 'outcomes' ? await outcomeOf(writer, at) : await transactionOf(writer, account, at);
      writer = next.user;
      written.push(next.record as Written);
    }
    if (!late) this.users[organization]![user] = writer;
    this.now = Math.max(this.now, at);
    await writeRecords(written);
    this.rows[organization]!.push(...written);
    for (const kind of kinds) {
      const told = written.filter((row) => row.kind === kind).map(timeSortKey);
      if (told.length > 0) await repairFences({ organizationId: id, report: kind }, told);
    }
  }

  list(organization: number, kind: Kind): Written[] {
    return this.rows[organization]!.filter((row) => row.kind === kind).sort((a, b) =>
      timeSortKey(a) < timeSortKey(b) ? -1 : 1,
    );
  }

  async fence({ how, waited }: Step<'fence'>) {
    this.now += waited;
    const { sizes, now } = this;
    for (const [organization, organizationId] of this.ids.entries()) {
      for (const report of kinds) {
        const name = { organizationId, report };
        if (how === 'twice') await extendFences(name, now, { sizes });
        if (how === 'side by side')
          await Promise.all([extendFences(name, now, { sizes }), extendFences(name, now, { sizes })]);
        if (how === 'killed') await extendFences(name, now, { sizes, rowsPerWrite: 10, goOn: () => false });
        if (how === 'rebuilt') await rebuildFences(name, now, { sizes });
        if (how === 'rechecked') await recountLastHour(name, now);
        if (how === 'killed') continue;
        while (!(await extendFences(name, now, { sizes }))) {}
        expect(await this.stored(name)).toEqual(this.expected(organization, report));
      }
    }
  }

  /** The fences in the table. */
  async stored(report: { organizationId: string; report: Kind }) {
    const { last, children } = await readHead(report, { consistent: true, sizes: this.sizes });
    if (last === '') return { last, children: [], nodes: [], blocks: [] };
    const partition = fenceHeadKey(report.organizationId, report.report).pk;
    const firsts = (await readRange({ partition, prefix: 'BLOCK#' })).map(({ first }) => String(first));
    const blocks = (await Promise.all(
      firsts.map((first) => readBlock(report, first, { consistent: true })),
    )) as Block[];
    const nodes = (await readRange({ partition, prefix: 'NODE#' })).map(({ sk, first }) =>
      readNode(report, { level: Number(String(sk).split('#')[1]), key: String(first) }, { consistent: true }),
    );
    return {
      last,
      children,
      nodes: await Promise.all(nodes),
      blocks: blocks.map(({ first, counts, keys, shares }) => ({ first, counts, keys, shares })),
    };
  }

  /** The fences as they follow from the rows alone. */
  expected(organization: number, report: Kind) {
    const lists = listsOf(report);
    const fences = fenceBuilder({ blocks: [emptyBlock('0', lists.length)], last: '' }, this.sizes);
    for (const row of this.list(organization, report)) {
      if (Date.parse(row.date_created) >= this.now - minute) break;
      fences.add({ ulid: timeSortKey(row), list: lists.indexOf(listOf(row)) });
    }
    const { blocks, last } = fences.fenced;
    if (last === '') return { last, children: [], nodes: [], blocks: [] };
    const { nodes, children } = allGathered(blocks.map(childOf), this.sizes);
    this.levels = Math.max(this.levels, ...nodes.map(({ level }) => level));
    return { last, children, nodes: nodes.sort(byPlace), blocks };
  }

  async compare(step: Query) {
    const { organization, kind, size, type } = step;
    const rows = this.list(organization, kind);
    const time = (part: number | null) => {
      if (part === null) return undefined;
      const times = rows.map((row) => Date.parse(row.date_created));
      const [first = this.now, last = this.now] = [times[0], times.at(-1)];
      if (step.onARow) return times[Math.floor(part * (times.length - 1))] ?? this.now;
      return Math.round(first - 1000 + part * (last - first + 2000));
    };
    let [start, end] = [time(step.from), time(step.to)];
    if (start !== undefined && end !== undefined && start > end) [start, end] = [end, start];
    const userId = step.user === null ? undefined : this.users[organization]![step.user]!.user_id;
    const entryType = kind === 'entries' && type !== null ? type : undefined;
    const fitting = rows.filter((row) => {
      const at = Date.parse(row.date_created);
      return (
        (start === undefined || at >= start) &&
        (end === undefined || at < end) &&
        (userId === undefined || row.user_id === userId) &&
        (entryType === undefined || row.entry_type === entryType)
      );
    });
    if (userId !== undefined && fitting.length === 0) return;
    const pages = Math.ceil(fitting.length / size);
    const page = Number.isInteger(step.page) ? step.page : Math.floor(step.page * (pages + 1));
    const asked: ReportQuery = { start, end, page, page_size: size, user_id: userId, entry_type: entryType };
    const id = this.ids[organization]!;
    const found = await reportPage<Written>(id, kind, asked, ['hash', 'user_id'], {
      now: Date.now(),
    });
    expect(found.paging).toEqual({ total_count: fitting.length, page, page_size: size, total_pages: pages });
    const onThePage = fitting.slice(page * size, (page + 1) * size).map(({ hash }) => hash);
    expect(found.rows.map(({ hash }) => hash)).toEqual(onThePage);
    this.compared++;
  }
}

test('reports say what a plain list says, however their fences came about', {
  timeout: 60_000 * runs,
}, async () => {
  let compared = 0;
  let levels = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ steps, last, sizes }) => {
      const world = new World(sizes);
      for (const step of [...steps, last]) {
        if (step.step === 'write') await world.write(step);
        else if (step.step === 'fence') await world.fence(step);
        else await Promise.all(step.asked.map((asked) => world.compare(asked)));
      }
      compared += world.compared;
      levels = Math.max(levels, world.levels);
    }),
    { numRuns: runs, endOnFailure: true },
  );
  console.log(`${compared} report pages compared with a plain list, ${levels} levels of nodes`);
  expect(compared).toBeGreaterThan(runs * 5);
});

test('one row in as many as a block is to have begins one', () => {
  const sizes = { block: 50 };
  const begin = Array.from({ length: 10_000 }, (_, i) => newId('txn', i * 7919).slice(4)).filter((ulid) =>
    startsBlock(ulid, sizes),
  );
  expect(begin.length).toBeGreaterThan(120);
  expect(begin.length).toBeLessThan(300);
});
