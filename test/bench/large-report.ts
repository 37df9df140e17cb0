/** Simulates a report of 164 billion rows in three years. Stores only the rows that the bench reads. */
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

/** A time range in epoch milliseconds. `from` and `to` count the report's rows before `start` and before `end`. */
export type LargeRange = { start: number; end: number; from: number; to: number };

/** The simulated report, and the blocks and rows that have been written to the table so far. */
type Drawn = {
  report: Report;
  index: RowIndex;
  days: IndexedDay[];
  /** Returns a new item for a row, as stored in the table. `ulid` is the row's ULID. */
  itemOf: (ulid: string) => Item;
  /** First ULID of each block, by day and block number. */
  firsts: Map<string, string>;
  /** ULIDs of each block's written rows, by day and block number. */
  rowsOf: Map<string, string[]>;
};

/** Writes all days' row counts. The returned functions write the index blocks and rows of ranges and pages. */
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
  // Writes one block per year, because `writeIndex` stores a year's row counts only with a block of that year.
  const years = new Map(drawn.days.map(({ day }) => [day.slice(0, 4), day]));
  await writeIndex(
    report,
    index,
    [...years.values()].map((day) => ({ ...firstBlock(day), next: ulidFloor(startOfDay(day)) })),
  );
  return {
    organizationId: report.organizationId,
    /**
     * Returns the time range between two days, which count from the report's beginning. Writes the index blocks at both
     * ends of the range, with their rows.
     */
    range: async (fromDay: number, toDay: number): Promise<LargeRange> => {
      const [start, end] = [begin + Math.round(fromDay * dayMs), begin + Math.round(toDay * dayMs)];
      return { start, end, from: await positionOf(drawn, start), to: await positionOf(drawn, end) };
    },
    /** Writes the blocks that contain one page of 1,000 rows. */
    page: async ({ from, to }: LargeRange, page: number): Promise<void> => {
      const [first, end] = [from + page * 1000, Math.min(from + page * 1000 + 1000, to)];
      for (const one of drawn.days) {
        const { rows, rowsBefore, day } = one;
        const [firstRow, lastRow] = [Math.max(first - rowsBefore, 0), Math.min(end - rowsBefore, rows) - 1];
        const { rowsPerBlock } = index;
        for (let number = Math.floor(firstRow / rowsPerBlock); number <= lastRow / rowsPerBlock; number++) {
          await writeBlock(drawn, day, number);
        }
      }
    },
  };
}

/** Returns a function that creates a row's item in a random shard, so that rows fill all shards. */
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

/** Returns the first ULID of an index block. The first call for a block draws the ULID's random part. */
function firstOf({ firsts, index }: Drawn, day: string, number: number): string {
  if (number === 0) return firstBlock(day).first;
  const name = `${day} ${number}`;
  const time = startOfDay(day) + (number * index.rowsPerBlock) / rowsInAMs;
  if (!firsts.has(name)) firsts.set(name, fastUlid(Math.floor(time)));
  return firsts.get(name)!;
}

/** Writes an index block and its rows, unless already written. Returns the ULIDs of the rows. */
async function writeBlock(drawn: Drawn, day: string, number: number): Promise<string[]> {
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
  // In the day's first block, `first` is the start of the day; elsewhere, it is the first row's ULID.
  const others = times.slice(1).map((time) => between(fastUlid(time), first, next));
  const ulids = [number === 0 ? fastUlid(times[0]!) : first, ...others].sort();
  const block: Block = { day, number, first, times };
  const hasNext = (number + 1) * rowsPerBlock < index.days.get(day)!.rows;
  await writeItems(ulids.map(drawn.itemOf));
  await writeIndex(report, index, [hasNext ? { ...block, next } : block]);
  rowsOf.set(`${day} ${number}`, ulids);
  return ulids;
}

/** Returns a random ULID that has the time of `ulid` and is between `first` and `next`. */
function between(ulid: string, first: string, next: string): string {
  for (let one = ulid; ; one = fastUlid(timeOf(ulid))) if (one > first && one < next) return one;
}

/** Returns the number of the report's rows before a time. */
async function positionOf(drawn: Drawn, time: number): Promise<number> {
  const day = dayOf(time);
  const { rowsBefore } = drawn.days.find((one) => one.day === day)!;
  const { rowsPerBlock } = drawn.index;
  const row = Math.floor((time - startOfDay(day)) * rowsInAMs);
  const number = Math.floor(row / rowsPerBlock);
  const ulids = await writeBlock(drawn, day, number);
  return rowsBefore + number * rowsPerBlock + ulids.filter((ulid) => ulid < ulidFloor(time)).length;
}
