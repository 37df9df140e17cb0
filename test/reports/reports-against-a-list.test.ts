import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordListOf } from '../../shared/accounts/records.ts';
import type { User } from '../../shared/accounts/user.ts';
import { newId, ulidTimePart } from '../../shared/ids.ts';
import { timeOfKey } from '../../shared/reports/blocks.ts';
import { indexedDaysOf } from '../../shared/reports/day-counts.ts';
import { extendRowIndex } from '../../shared/reports/extend-index.ts';
import { indexLateRows, rebuildIndex, recountRows } from '../../shared/reports/recount.ts';
import { type Report, recordListsOf } from '../../shared/reports/report-lists.ts';
import { type ReportQuery, reportPage } from '../../shared/reports/reports.ts';
import { readBlockAt, readBlocks, readRowIndex } from '../../shared/reports/stored-index.ts';
import { timeSortKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { blocksByTime, type ReportName, reportNames } from '../../shared/table/row-index-keys.ts';
import { dayOf } from '../../shared/time.ts';
import type { Account } from '../../shared/vocabulary.ts';
import { times } from '../support/api.ts';
import { useOwnTable } from '../support/own-table.ts';
import { outcomeOf, transactionOf, userOf, type Written, writeRecords } from '../support/records.ts';

// Uses its own table, in which only the test indexes rows, because the local stage would index with other block sizes.
await useOwnTable('reports');

/** The number of random histories, each with about fifty comparisons. For more: `RUNS=300 npx vitest …`. */
const runs = Number(process.env.RUNS ?? 2);

const kinds = ['tickets', 'entries', 'outcomes'] as const;

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
  late: fc.constantFrom('told', 'counted', undefined, undefined, undefined, undefined),
});
const indexing = fc.record({
  step: fc.constant('index' as const),
  how: fc.constantFrom('once', 'twice', 'side by side', 'killed', 'rebuilt'),
  waited: fc.constantFrom(0, 2 * minute, 2 * minute),
});
// Generates fractions from integers, because most of fast-check's doubles are close to 0 or 1.
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
  /** The queries that run after all other steps. */
  last: queries,
  steps: fc.array(
    fc.oneof(
      { weight: 3, arbitrary: write },
      { weight: 2, arbitrary: indexing },
      { weight: 1, arbitrary: queries },
    ),
    { minLength: 15, maxLength: 30, size: 'max' },
  ),
  rowsPerBlock: fc.constantFrom(2, 3, 8, 50, 512),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
type Step<Name> = Extract<History['steps'][number], { step: Name }>;

/** State of a random history: its current time, and all rows written so far as plain lists. */
class World {
  now = Date.parse('2023-05-01T12:00:00Z');
  readonly ids = [newId('org', this.now), newId('org', this.now)];
  readonly rows: Written[][] = [[], []];
  readonly users: User[][];
  readonly rowsPerBlock: number;
  compared = 0;
  blocks = 0;
  constructor(rowsPerBlock: number) {
    this.rowsPerBlock = rowsPerBlock;
    this.users = this.ids.map((id) => [0, 1, 2].map(() => userOf(id, newId('usr', this.now))));
  }

  async write({ organization, user, account, gaps, late }: Step<'write'>) {
    const id = this.ids[organization]!;
    // A late row is earlier than existing rows. Its user is new, because the ids of a user's records must ascend.
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
    const span = { from: ulidTimePart(timeOfKey(timeSortKey(written[0]!))), below: ulidTimePart(at + 1) };
    for (const name of reportNames) {
      const report = { organizationId: id, report: name };
      const ulids = written.filter((row) => isIn(name, row)).map(timeSortKey);
      const { last } = await readRowIndex(report, { consistent: true });
      if (late === 'counted') await recountRows(report, span);
      else
        await indexLateRows(
          report,
          ulids.filter((ulid) => ulid <= last),
        );
    }
  }

  list(organization: number, report: ReportName): Written[] {
    return this.rows[organization]!.filter((row) => isIn(report, row)).sort((a, b) =>
      timeSortKey(a) < timeSortKey(b) ? -1 : 1,
    );
  }

  async index({ how, waited }: Step<'index'>) {
    this.now += waited;
    const { rowsPerBlock, now } = this;
    for (const [organization, organizationId] of this.ids.entries()) {
      for (const report of reportNames) {
        const name = { organizationId, report };
        const extend = (more: object) => extendRowIndex(name, now, { rowsPerBlock, ...more });
        if (how === 'twice') await extend({});
        if (how === 'side by side') await Promise.all([extend({ minRows: 1 }), extend({ minRows: 1 })]);
        if (how === 'killed') await extend({ hasTime: () => false });
        if (how === 'rebuilt') await rebuildIndex(name, now, { rowsPerBlock });
        if (how === 'killed') continue;
        while ((await extend({ minRows: 1 })) === undefined) {}
        await this.expectIndexed(organization, name);
      }
    }
  }

  /** Checks that the index has all rows older than a minute. Only a day's last block may be partly filled. */
  async expectIndexed(organization: number, report: Report) {
    const index = await readRowIndex(report, { consistent: true });
    const rows = this.list(organization, report.report)
      .map(timeSortKey)
      .filter((ulid) => timeOfKey(ulid) < this.now - minute);
    expect(index.last).toBe(rows.at(-1) ?? '');
    const ofDays = Object.entries(Object.groupBy(rows, (ulid) => dayOf(timeOfKey(ulid))));
    expect(indexedDaysOf(index).map(({ day, rows }) => [day, rows])).toEqual(
      ofDays.map(([day, ulids]) => [day, ulids!.length]),
    );
    let found = 0;
    for (const [day, ulids] of ofDays) {
      const how = { consistent: true };
      const blocks = await readBlocks(report, index.build, { day, numbers: [0, 999] }, how);
      expect(blocks.flatMap(({ times }) => times)).toEqual(ulids!.map(timeOfKey));
      expect(blocks.map(({ number }) => number)).toEqual(times(blocks.length, (i) => i));
      expect(blocks.map(({ next }) => next)).toEqual([
        ...blocks.slice(1).map(({ first }) => first),
        undefined,
      ]);
      const late = blocks.map(({ times }) => times.length - index.rowsPerBlock);
      expect(late.slice(0, -1).every((rows) => rows >= 0)).toBe(true);
      const tooLarge = late.flatMap((rows, number) => (rows > 0 ? [[number, rows]] : []));
      expect(index.days.get(day)!.late).toEqual(tooLarge);
      const byTime = blocks.map(({ first }) => readBlockAt(report, index.build, first, how));
      expect(await Promise.all(byTime)).toEqual(blocks);
      found += blocks.length;
    }
    const { organizationId, report: name } = report;
    expect(await readRange(blocksByTime(organizationId, name, index.build))).toHaveLength(found);
    this.blocks = Math.max(this.blocks, found);
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

const isIn = (report: ReportName, row: Written): boolean =>
  row.kind === report || recordListsOf(report).includes(recordListOf(row));

test('reports return the same rows as a plain list, in whatever order rows are written and indexed', {
  timeout: 60_000 * runs,
}, async () => {
  let compared = 0;
  let blocks = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ steps, last, rowsPerBlock }) => {
      const world = new World(rowsPerBlock);
      for (const step of [...steps, last]) {
        if (step.step === 'write') await world.write(step);
        else if (step.step === 'index') await world.index(step);
        else await Promise.all(step.asked.map((asked) => world.compare(asked)));
      }
      compared += world.compared;
      blocks = Math.max(blocks, world.blocks);
    }),
    { numRuns: runs, endOnFailure: true },
  );
  console.log(`${compared} report pages compared with a plain list, ${blocks} blocks at most`);
  expect(compared).toBeGreaterThan(runs * 5);
});
