import { ulidTimePart } from '../ids.ts';
import { RETRY, retry } from '../retry.ts';
import { dayOf } from '../time.ts';
import { blockEnd, firstBlock, type RowBlock, timeOfKey } from './blocks.ts';
import { defaultRowsPerBlock, matchesIndex, updateRowCounts } from './day-counts.ts';
import { type ExtendOptions, extendRowIndex } from './extend-index.ts';
import { readRangeEnds } from './range-ends.ts';
import { boundAfter, countRecords, readMergedUlids, type UlidSpan } from './record-lists.ts';
import { type Report, reportRanges } from './report-lists.ts';
import {
  deleteFormerBlocks,
  readBlockAt,
  readRowIndex,
  startNewBuild,
  writeRowIndex,
} from './stored-index.ts';

/** Thrown if a row that the stream has delivered is not in the index `byTime` yet. */
export class NotVisibleYet extends Error {
  override name = 'NotVisibleYet';
}

/** Throws NotVisibleYet if the index `byTime` still lacks one of these rows. */
export async function indexLateRows(report: Report, ulids: string[]): Promise<void> {
  const expected = ulids.toSorted();
  let done = '';
  for (const ulid of expected) if (ulid >= done) done = await recountBlock(report, ulid, expected);
}

function recountBlock(report: Report, key: string, expected: string[] = []): Promise<string> {
  return retry(async () => {
    const index = await readRowIndex(report, { consistent: true });
    const stored = await readBlockAt(report, index.build, key, { consistent: true });
    const day = dayOf(timeOfKey(key));
    const block = stored?.day === day ? stored : firstBlock(day);
    if (!matchesIndex(index, block)) return RETRY;
    const span = { from: block.first, below: blockEnd(block, index.last) };
    const times = await readTimes(report, span, expected);
    // Stores nothing if the index `byTime` has no additional rows. The index can have fewer rows than the block only
    // because it lags: rows are never removed.
    if (times.length <= block.times.length) return span.below;
    const recounted: RowBlock = { ...block, times };
    updateRowCounts(index, recounted, block.times.length);
    return (await writeRowIndex(report, index, [recounted])) ? span.below : RETRY;
  });
}

/** Throws NotVisibleYet if an expected row is missing. */
async function readTimes(report: Report, span: UlidSpan, expected: string[]): Promise<number[]> {
  const missing = new Set(expected.filter((ulid) => ulid >= span.from && ulid < span.below));
  const times: number[] = [];
  for await (const ulids of readMergedUlids(reportRanges(report), span)) {
    for (const ulid of ulids) {
      times.push(timeOfKey(ulid));
      missing.delete(ulid);
    }
  }
  if (missing.size > 0) {
    throw new NotVisibleYet('the index does not show all rows from the stream yet');
  }
  return times;
}

/** Recounts a span's blocks if rows are missing. Halves a long span, to find incomplete blocks with few queries. */
export async function recountRows(report: Report, span: UlidSpan): Promise<void> {
  const { rows, rowsPerBlock, end } = await countIndexed(report, span);
  const below = span.below < end ? span.below : end;
  const found = await countRecords(reportRanges(report), { from: span.from, below });
  if (found <= rows) return;
  const middle = ulidTimePart(Math.floor((timeOfKey(span.from) + timeOfKey(below)) / 2));
  if (rows > 4 * rowsPerBlock && middle > span.from) {
    await recountRows(report, { from: span.from, below: middle });
    await recountRows(report, { from: middle, below });
    return;
  }
  for (let key = span.from; key < below; ) {
    const end = await recountBlock(report, key);
    // A block that ends before it begins would make the loop endless.
    if (end <= key) throw new Error(`the row index of ${report.report} has a block without an end`);
    key = end;
  }
}

function countIndexed(report: Report, span: UlidSpan) {
  return retry(async () => {
    const ends = await readRangeEnds(report, span, { consistent: true });
    if (ends === RETRY) return RETRY;
    const { index, from, below } = ends;
    return { rows: below - from, rowsPerBlock: index.rowsPerBlock, end: boundAfter(index.last) };
  });
}

export async function rebuildIndex(report: Report, now: number, options: ExtendOptions = {}): Promise<void> {
  const { rowsPerBlock = defaultRowsPerBlock } = options;
  while (!(await startNewBuild(report, rowsPerBlock))) {
    // Another call changed the index. The next attempt also discards the rows that the other call added.
  }
  while ((await extendRowIndex(report, now, { minRows: 1, ...options })) === undefined) {
    // Time ran out or another call extended the index. The next call continues from the last indexed row.
  }
  await deleteFormerBlocks(report);
}
