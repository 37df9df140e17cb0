/** Counts a report's indexed rows before each end of a range, and reads the blocks at the ends. */
import { RETRY } from '../retry.ts';
import { dayOf } from '../time.ts';
import { type RowBlock, rowsBeforeTime, timeOfKey } from './blocks.ts';
import {
  type IndexedDay,
  indexedDaysOf,
  matchesIndex,
  type RowIndex,
  rowCountOf,
  rowsBeforeBlock,
} from './day-counts.ts';
import { everyUlid, type UlidSpan } from './record-lists.ts';
import type { Report } from './report-lists.ts';
import { type ReadConsistency, readBlockAt, readRowIndex } from './stored-index.ts';

/** The row index of a report, and how many of the indexed rows are before a range's beginning and end. */
export type RangeEnds = {
  index: RowIndex;
  days: IndexedDay[];
  /** The number of indexed rows before the beginning of the range. */
  from: number;
  /** The number of indexed rows before the end of the range. */
  below: number;
  /** The blocks at the beginning and end of the range. An open end has none. */
  blocks: RowBlock[];
};

// The build number of a report's index when this process last read the index. Build 1 if absent.
const builds = new Map<string, number>();

/** Returns `RETRY` if a block does not match the index. */
export async function readRangeEnds(
  report: Report,
  { from, below }: UlidSpan,
  consistency: ReadConsistency,
): Promise<RangeEnds | typeof RETRY> {
  const name = `${report.organizationId} ${report.report}`;
  const build = builds.get(name) ?? 1;
  const blockAt = (bound: string) =>
    isOpen(bound) ? undefined : readBlockAt(report, build, bound, consistency);
  const [index, fromBlock, belowBlock] = await Promise.all([
    readRowIndex(report, consistency),
    blockAt(from),
    blockAt(below),
  ]);
  if (index.build !== build) {
    builds.set(name, index.build);
    if (!isOpen(from) || !isOpen(below)) return RETRY;
  }
  const days = indexedDaysOf(index);
  const beforeFrom = rowsBefore({ index, days }, from, fromBlock);
  const beforeBelow = rowsBefore({ index, days }, below, belowBlock);
  if (beforeFrom === undefined || beforeBelow === undefined) return RETRY;
  const blocks = [fromBlock, belowBlock].filter((block) => block !== undefined);
  return { index, days, from: beforeFrom, below: beforeBelow, blocks };
}

const isOpen = (bound: string) => bound === everyUlid.from || bound === everyUlid.below;

function rowsBefore(
  { index, days }: Pick<RangeEnds, 'index' | 'days'>,
  bound: string,
  block: RowBlock | undefined,
): number | undefined {
  if (bound === everyUlid.from) return 0;
  if (bound > index.last) return rowCountOf(index);
  const time = timeOfKey(bound);
  const day = dayOf(time);
  const next = days.find((one) => one.day >= day);
  if (!next) return rowCountOf(index);
  if (next.day > day) return next.rowsBefore;
  const isThere = block?.day === day && matchesIndex(index, block);
  // If `block.next` is before `bound`, `block` was read before the block that contains `bound` was created.
  if (!isThere || (block.next !== undefined && block.next < bound)) return undefined;
  return (
    next.rowsBefore + rowsBeforeBlock(next, block.number, index.rowsPerBlock) + rowsBeforeTime(block, time)
  );
}
