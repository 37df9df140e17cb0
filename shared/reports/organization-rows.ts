import { ulidTimePart } from '../ids.ts';
import { RETRY, retry } from '../retry.ts';
import { shardCount } from '../shards.ts';
import { startOfDay } from '../time.ts';
import { type CountedKey, countedKeysOf, type RowBlock } from './blocks.ts';
import { blockOfRow, type IndexedDay, matchesIndex, rowCountOf, rowsBeforeBlock } from './day-counts.ts';
import { type CountedRange, type PageWindow, rowsPerStretch } from './page-rows.ts';
import { type RangeEnds, readRangeEnds } from './range-ends.ts';
import { boundAfter, readAllUlids, type UlidSpan } from './record-lists.ts';
import { type Report, reportRanges } from './report-lists.ts';
import { type ReadConsistency, readBlocks } from './stored-index.ts';

type OrganizationRows = Report & {
  span: UlidSpan;
  window: PageWindow;
  /** The current time in epoch milliseconds. */
  now: number;
};

export async function countOrganizationRows(query: OrganizationRows): Promise<CountedRange> {
  let consistent = false;
  return retry(() => {
    const reading = countOnce(query, { consistent });
    consistent = true;
    return reading;
  });
}

/** Counts the rows, without retrying. Returns `RETRY` if another call changed the index between the reads. */
async function countOnce(
  query: OrganizationRows,
  consistency: ReadConsistency,
): Promise<CountedRange | typeof RETRY> {
  const { span, window, now } = query;
  const ends = await readRangeEnds(query, span, consistency);
  if (ends === RETRY) return RETRY;
  const ranges = reportRanges(query);
  const endOfIndex = boundAfter(ends.index.last);
  const first = ends.from + window.offset;
  const page = { first, end: Math.min(first + window.size, ends.below) };
  const [blocks, newest] = await Promise.all([
    readBlocksOfPage(query, ends, page, consistency),
    readAllUlids(ranges, { from: laterUlid(span.from, endOfIndex), below: span.below }, now),
  ]);
  if (!blocks) return RETRY;
  const total = ends.below + newest.length - ends.from;
  const skipped = Math.max(0, first - ends.below);
  const notIndexed = newest
    .slice(skipped, skipped + window.size + 1)
    .map((ulid, place) => ({ key: ulid, rowsBefore: ends.below + skipped + place }));
  const inside = [
    ...keysInIndex(ends, page, blocks),
    { key: endOfIndex, rowsBefore: rowCountOf(ends.index) },
    ...notIndexed,
  ]
    .filter(({ key }) => key > span.from && key < span.below)
    .map(({ key, rowsBefore }) => ({ key, rowsBefore: rowsBefore - ends.from }));
  const keys = [{ key: span.from, rowsBefore: 0 }, ...inside, { key: span.below, rowsBefore: total }];
  return { total, keys, ranges, shards: shardCount };
}

/** A span of rows in the row index, as numbers from 0. `end` is the row after the last. */
type IndexedRows = { first: number; end: number };

/** Returns undefined if a block is missing or does not match `index`. */
async function readBlocksOfPage(
  report: Report,
  { index, days, blocks: endBlocks }: RangeEnds,
  page: IndexedRows,
  consistency: ReadConsistency,
): Promise<RowBlock[] | undefined> {
  const blocksToRead = blocksOfPage(days, page, index.rowsPerBlock);
  const read = blocksToRead.map(async ({ day, from, to }) => {
    const only = from === to && endBlocks.find((one) => one.day === day && one.number === from);
    return only ? [only] : readBlocks(report, index.build, { day, numbers: [from, to] }, consistency);
  });
  const blocks = (await Promise.all(read)).flat();
  const expected = blocksToRead.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const belong = blocks.length === expected && blocks.every((block) => matchesIndex(index, block));
  return belong ? blocks : undefined;
}

function blocksOfPage(days: IndexedDay[], { first, end }: IndexedRows, rowsPerBlock: number) {
  return days.flatMap((one) => {
    const { day, rows, rowsBefore } = one;
    const [from, to] = [Math.max(first - rowsBefore, 0), Math.min(end - rowsBefore, rows)];
    const isWholeDay = from === 0 && to === rows && rows <= rowsPerStretch(shardCount);
    if (from >= to || isWholeDay) return [];
    const blockOf = (row: number) => blockOfRow(one, row, rowsPerBlock);
    return [{ day, from: blockOf(from), to: blockOf(to - 1) }];
  });
}

function keysInIndex({ index, days }: RangeEnds, page: IndexedRows, blocks: RowBlock[]): CountedKey[] {
  const around = days.filter(
    ({ rowsBefore, rows }) => rowsBefore + rows > page.first && rowsBefore <= page.end,
  );
  return around.flatMap((one) => {
    const beginning = { key: ulidTimePart(startOfDay(one.day)), rowsBefore: one.rowsBefore };
    const inBlocks = blocks
      .filter(({ day }) => day === one.day)
      .flatMap((block) => {
        const before = rowsBeforeBlock(one, block.number, index.rowsPerBlock);
        return countedKeysOf(block, one.rowsBefore + before);
      });
    return [beginning, ...inBlocks];
  });
}

const laterUlid = (a: string, b: string) => (a > b ? a : b);
