/**
 * A report of 164 billion rows, of which there is what some pages need. The rows come at an even pace, so
 * where each block begins follows from its number. The day counts are whole; of the blocks and the rows there
 * are those at the ends of the ranges and at the pages that are asked for.
 */
import { newId, ulidFloor } from '../../shared/ids.ts';
import { type Block, firstBlock, timeOf } from '../../shared/reports/blocks.ts';
import { daysIn, emptyIndex, type IndexedDay, type RowIndex } from '../../shared/reports/day-counts.ts';
import type { Report } from '../../shared/reports/report-lists.ts';
import { writeIndex } from '../../shared/reports/stored-index.ts';
import type { Item } from '../../shared/table/client.ts';
import { impliedBy } from '../../shared/table/implied.ts';
import { recordKey, recordTimeKey } from '../../shared/table/keys.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';
import { transactionOf, userOf, writeItems } from '../support/records.ts';
import { fastUlid } from './meter.ts';

const days = 1096;
const rowsInAll = 164e9;
const dayMs = 86_400_000;
const rowsInAMs = rowsInAll / (days * dayMs);

/** A range of time (epoch ms), and the positions of its ends. */
export type LargeRange = { start: number; end: number; from: number; to: number };

/** The report, and what of it is in the table. */
type Drawn = {
  report: Report;
  index: RowIndex;
  days: IndexedDay[];
  /** A row as it is stored. */
  itemOf: (ulid: string) => Item;
  /** The ULIDs at which blocks begin, and the rows of those that are in the table, by day and number. */
  firsts: Map<string, string>;
  rowsOf: Map<string, string[]>;
};

/** Writes what is needed of the report; returns its organization and functions that make ranges and pages ready. */
export async function largeReport() {
  const report = { organizationId: newId('org', Date.now()), report: 'tickets' as const };
  const today = dayOf(Date.now());
  const index = emptyIndex();
  for (let ago = days; ago > 0; ago--) {
    const day = addDays(today, -ago);
    const ms = startOfDay(addDays(day, 1)) - startOfDay(day);
    index.days.set(day, { rows: Math.floor(ms * rowsInAMs), late: [] });
  }
  index.last = fastUlid(startOfDay(today) - 1);
  const begin = startOfDay(addDays(today, -days));
  const itemOf = await itemsLike(report, begin);
  const drawn = { report, index, days: daysIn(index), itemOf, firsts: new Map(), rowsOf: new Map() };
  // A block of each year, so that the counts of all years are written.
  const years = new Map(drawn.days.map(({ day }) => [day.slice(0, 4), day]));
  await writeIndex(
    report,
    index,
    [...years.values()].map((day) => ({ ...firstBlock(day), next: ulidFloor(startOfDay(day)) })),
  );
  return {
    organizationId: report.organizationId,
    /** A range, in days after the report begins. */
    range: async (fromDay: number, toDay: number): Promise<LargeRange> => {
      const [start, end] = [begin + Math.round(fromDay * dayMs), begin + Math.round(toDay * dayMs)];
      return { start, end, from: await positionOf(drawn, start), to: await positionOf(drawn, end) };
    },
    /** Makes a page of 1,000 rows of a range ready. */
    page: async ({ from, to }: LargeRange, page: number): Promise<void> => {
      const [first, end] = [from + page * 1000, Math.min(from + page * 1000 + 1000, to)];
      for (const one of drawn.days) {
        const { rows, rowsBefore, day } = one;
        const [least, most] = [Math.max(first - rowsBefore, 0), Math.min(end - rowsBefore, rows) - 1];
        const { rowsPerBlock } = index;
        for (let number = Math.floor(least / rowsPerBlock); number <= most / rowsPerBlock; number++) {
          await ready(drawn, day, number);
        }
      }
    },
  };
}

/** A function that makes rows like those of one user, each in any of the shards. */
async function itemsLike({ organizationId }: Report, begin: number): Promise<Drawn['itemOf']> {
  const { record } = await transactionOf(userOf(organizationId, newId('usr', begin)), 'tickets', begin);
  return (ulid) => {
    const key = recordKey(organizationId, record.user_id, 'tickets', ulid);
    const timeKey = recordTimeKey(organizationId, String(Math.random()), 'tickets', ulid);
    return {
      ...record,
      ...key,
      ...timeKey,
      ...impliedBy(key),
      idempotency_key: `bonus-${organizationId}-10000`,
    };
  };
}

/** The ULID at which a block begins. */
function firstOf({ firsts, index }: Drawn, day: string, number: number): string {
  if (number === 0) return firstBlock(day).first;
  const name = `${day} ${number}`;
  const time = startOfDay(day) + (number * index.rowsPerBlock) / rowsInAMs;
  if (!firsts.has(name)) firsts.set(name, fastUlid(Math.floor(time)));
  return firsts.get(name)!;
}

/** Writes a block and its rows, unless they are there. Returns the ULIDs of the rows. */
async function ready(drawn: Drawn, day: string, number: number): Promise<string[]> {
  const { index, rowsOf, report } = drawn;
  const known = rowsOf.get(`${day} ${number}`);
  if (known) return known;
  const { rowsPerBlock } = index;
  const rows = Math.min(rowsPerBlock, index.days.get(day)!.rows - number * rowsPerBlock);
  const [first, next] = [firstOf(drawn, day, number), firstOf(drawn, day, number + 1)];
  const begin = startOfDay(day);
  const times = Array.from({ length: rows }, (_, row) =>
    Math.floor(begin + (number * rowsPerBlock + row) / rowsInAMs),
  );
  // Its first row is where it begins, and the others lie between that and the next block's.
  const others = times.slice(1).map((time) => between(fastUlid(time), first, next));
  const ulids = [number === 0 ? fastUlid(times[0]!) : first, ...others].sort();
  const block: Block = { day, number, first, times };
  const hasNext = (number + 1) * rowsPerBlock < index.days.get(day)!.rows;
  await writeItems(ulids.map(drawn.itemOf));
  await writeIndex(report, index, [hasNext ? { ...block, next } : block]);
  rowsOf.set(`${day} ${number}`, ulids);
  return ulids;
}

/** A ULID of the same time, between two others. */
function between(ulid: string, first: string, next: string): string {
  for (let one = ulid; ; one = fastUlid(timeOf(ulid))) if (one > first && one < next) return one;
}

/** How many rows lie before a time. */
async function positionOf(drawn: Drawn, time: number): Promise<number> {
  const day = dayOf(time);
  const { rowsBefore } = drawn.days.find((one) => one.day === day)!;
  const { rowsPerBlock } = drawn.index;
  const row = Math.floor((time - startOfDay(day)) * rowsInAMs);
  const number = Math.floor(row / rowsPerBlock);
  const ulids = await ready(drawn, day, number);
  return rowsBefore + number * rowsPerBlock + ulids.filter((ulid) => ulid < ulidFloor(time)).length;
}
