/** Where the ends of a range lie among the indexed rows. */
import { RETRY } from '../retry.ts';
import { dayOf } from '../time.ts';
import { type Block, rowsBeforeTime, timeOf } from './blocks.ts';
import { daysIn, type IndexedDay, isOfIndex, type RowIndex, rowsBeforeBlock, rowsIn } from './day-counts.ts';
import { everyUlid, type UlidSpan } from './record-lists.ts';
import type { Report } from './report-lists.ts';
import { type Consistency, readBlockAt, readIndex } from './stored-index.ts';

/** A report's index, and where the ends of a range lie in it. */
export type RangeEnds = {
  index: RowIndex;
  days: IndexedDay[];
  /** The indexed rows before the beginning of the range, and before its end. */
  from: number;
  below: number;
  /** The blocks in which the ends lie, as far as they had to be read. */
  blocks: Block[];
};

// The builds of reports that were begun anew, as this process has seen them last.
const builds = new Map<string, number>();

/**
 * Reads a report's index and the blocks in which a range begins and ends. One round trip. Returns `RETRY` if
 * what was read does not belong together: the index was written at the same time, or begun anew since this
 * process has read it.
 */
export async function readRangeEnds(
  report: Report,
  { from, below }: UlidSpan,
  how: Consistency,
): Promise<RangeEnds | typeof RETRY> {
  const name = `${report.organizationId} ${report.report}`;
  const build = builds.get(name) ?? 1;
  const blockAt = (bound: string) => (isOpen(bound) ? undefined : readBlockAt(report, build, bound, how));
  const [index, fromBlock, belowBlock] = await Promise.all([
    readIndex(report, how),
    blockAt(from),
    blockAt(below),
  ]);
  if (index.build !== build) {
    builds.set(name, index.build);
    if (!isOpen(from) || !isOpen(below)) return RETRY;
  }
  const days = daysIn(index);
  const beforeFrom = rowsBefore({ index, days }, from, fromBlock);
  const beforeBelow = rowsBefore({ index, days }, below, belowBlock);
  if (beforeFrom === undefined || beforeBelow === undefined) return RETRY;
  const blocks = [fromBlock, belowBlock].filter((block) => block !== undefined);
  return { index, days, from: beforeFrom, below: beforeBelow, blocks };
}

const isOpen = (bound: string) => bound === everyUlid.from || bound === everyUlid.below;

/** How many indexed rows lie before a bound; undefined if the block does not belong to the index. */
function rowsBefore(
  { index, days }: Pick<RangeEnds, 'index' | 'days'>,
  bound: string,
  block: Block | undefined,
): number | undefined {
  if (bound === everyUlid.from) return 0;
  if (bound > index.last) return rowsIn(index);
  const time = timeOf(bound);
  const day = dayOf(time);
  const next = days.find((one) => one.day >= day);
  if (!next) return rowsIn(index);
  if (next.day > day) return next.rowsBefore;
  const isThere = block?.day === day && isOfIndex(index, block);
  // One that begins before the bound, as the next block must not, was not there yet when the block was read.
  if (!isThere || (block.next !== undefined && block.next < bound)) return undefined;
  return (
    next.rowsBefore + rowsBeforeBlock(next, block.number, index.rowsPerBlock) + rowsBeforeTime(block, time)
  );
}
