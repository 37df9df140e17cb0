/** Finds and counts rows that the row index has missed, and makes the index anew. */
import { ulidFloor } from '../ids.ts';
import { RETRY, retry } from '../retry.ts';
import { dayOf } from '../time.ts';
import { type Block, endOf, firstBlock, timeOf } from './blocks.ts';
import { isOfIndex, setRows, usualRowsPerBlock } from './day-counts.ts';
import { type ExtendOptions, extendIndex } from './extend-index.ts';
import { readRangeEnds } from './range-ends.ts';
import { boundAfter, countRecords, mergedUlids, type UlidSpan } from './record-lists.ts';
import { type Report, rangesOf } from './report-lists.ts';
import { beginAnew, deleteFormerBlocks, readBlockAt, readIndex, writeIndex } from './stored-index.ts';

/** A row that the stream told of cannot be seen in the index of the table yet. */
export class NotVisibleYet extends Error {
  override name = 'NotVisibleYet';
}

/**
 * Sees to it that rows which may have come late are counted; all are to lie before the last row that is indexed. Throws
 * NotVisibleYet if the table's index does not show one of them yet.
 */
export async function countLateRows(report: Report, ulids: string[]): Promise<void> {
  const expected = ulids.toSorted();
  let done = '';
  for (const ulid of expected) if (ulid >= done) done = await recountBlock(report, ulid, expected);
}

/**
 * Counts the rows of the block in which a key lies once more, until they are stored; `expected` rows have to be seen. A
 * late one makes its block longer, and changes no other. Returns where the block ends.
 */
function recountBlock(report: Report, key: string, expected: string[] = []): Promise<string> {
  return retry(async () => {
    const index = await readIndex(report, { consistent: true });
    const stored = await readBlockAt(report, index.build, key, { consistent: true });
    const day = dayOf(timeOf(key));
    const block = stored?.day === day ? stored : firstBlock(day);
    if (!isOfIndex(index, block)) return RETRY;
    const span = { from: block.first, below: endOf(block, index.last) };
    const times = await readTimes(report, span, expected);
    // Rows are never taken away: if fewer are seen, the table's index is behind.
    if (times.length <= block.times.length) return span.below;
    const recounted: Block = { ...block, times };
    setRows(index, recounted, block.times.length);
    return (await writeIndex(report, index, [recounted])) ? span.below : RETRY;
  });
}

/** The times of the rows in a span. Throws NotVisibleYet if one of the expected rows that lie in it is not there. */
async function readTimes(report: Report, span: UlidSpan, expected: string[]): Promise<number[]> {
  const missing = new Set(expected.filter((ulid) => ulid >= span.from && ulid < span.below));
  const times: number[] = [];
  for await (const ulids of mergedUlids(rangesOf(report), span)) {
    for (const ulid of ulids) {
      times.push(timeOf(ulid));
      missing.delete(ulid);
    }
  }
  if (missing.size > 0) {
    throw new NotVisibleYet('the index does not show all of the rows that were told of');
  }
  return times;
}

/**
 * Counts the indexed rows between two times once more, and each block whose rows are more than it says. It
 * halves a span whose count is wrong until few rows are left, so that it finds the block among those of a
 * day.
 */
export async function recount(report: Report, span: UlidSpan): Promise<void> {
  const { rows, rowsPerBlock, end } = await countIndexed(report, span);
  const below = span.below < end ? span.below : end;
  const found = await countRecords(rangesOf(report), { from: span.from, below });
  if (found <= rows) return;
  const middle = ulidFloor(Math.floor((timeOf(span.from) + timeOf(below)) / 2));
  if (rows > 4 * rowsPerBlock && middle > span.from) {
    await recount(report, { from: span.from, below: middle });
    await recount(report, { from: middle, below });
    return;
  }
  for (let key = span.from; key < below; ) key = await recountBlock(report, key);
}

/** The indexed rows of a span, and the bound after the last row that is indexed. */
function countIndexed(report: Report, span: UlidSpan) {
  return retry(async () => {
    const ends = await readRangeEnds(report, span, { consistent: true });
    if (ends === RETRY) return RETRY;
    const { index, from, below } = ends;
    return { rows: below - from, rowsPerBlock: index.rowsPerBlock, end: boundAfter(index.last) };
  });
}

/** Forgets a report's index and makes it anew from its rows. Reports stay right meanwhile, but are slow. */
export async function rebuildIndex(report: Report, now: number, options: ExtendOptions = {}): Promise<void> {
  const { rowsPerBlock = usualRowsPerBlock } = options;
  while (!(await beginAnew(report, rowsPerBlock))) {
    // Rows were indexed at the same moment, and are forgotten as well.
  }
  while ((await extendIndex(report, now, { fewest: 1, ...options })) === undefined) {
    // Somebody else does the same work; both go on from where the faster one is.
  }
  await deleteFormerBlocks(report);
}
