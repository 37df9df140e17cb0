/** Keeps a report's fences: extends them as rows settle, and mends them where a row shows up late. */

import {
  boundAfter,
  countRecords,
  everyUlid,
  type ListedUlid,
  mergedUlids,
  type UlidSpan,
} from '../accounts/record-lists.ts';
import { ulidFloor } from '../ids.ts';
import { forgetFences, readBlock, readHead, replaceBlocks } from './fence-items.ts';
import {
  type Block,
  countedKeysOf,
  defaultSizes,
  emptyBlock,
  type FenceHead,
  type FenceSizes,
  fenceBuilder,
  isBlockOf,
  lastUpTo,
  sum,
} from './fences.ts';
import { listsOf, type Report, rangesOf } from './report-lists.ts';

/** What those who seal may say: other sizes, rows per write, and whether there is time for one more write. */
export type SealOptions = { sizes?: FenceSizes; rowsPerWrite?: number; goOn?: () => boolean };

/**
 * A row gets its time before it is written, and the index shows it a moment after: rows of the last minute may
 * still be joined by earlier ones, so they are left.
 */
export const settledAfterMs = 60_000;

const defaultRowsPerWrite = 40_000;
const blocksPerWrite = 40;

/**
 * Seals all rows that have settled at `now`. Each write holds the head and its blocks together, on the condition
 * that the head is what was read, so it may be run twice, side by side, or be killed anywhere. Answers false
 * where it left something to do: at the deadline, or because another sealer was faster.
 */
export async function seal(report: Report, now: number, options: SealOptions = {}): Promise<boolean> {
  const { goOn = () => true } = options;
  const below = ulidFloor(Math.max(0, now - settledAfterMs));
  let head = await readHead(report, { consistent: true });
  for (;;) {
    const { sealed, ended } = await fenceOn(report, head, below, options);
    if (!sealed) return ended;
    const from = head.firsts.length - 1;
    const next = await replaceBlocks(report, head, { from, to: from + 1, fenced: sealed });
    if (!next) return false;
    if (ended) return true;
    if (!goOn()) return false;
    head = next;
  }
}

/** Fences what follows the head, as much as is written at once; nothing where no fence is full. */
async function fenceOn(report: Report, head: FenceHead, below: string, options: SealOptions) {
  const { sizes = defaultSizes, rowsPerWrite = defaultRowsPerWrite } = options;
  const waiting: ListedUlid[] = [];
  const batches = mergedUlids(rangesOf(report), { from: boundAfter(head.last), below });
  let fences: ReturnType<typeof fenceBuilder> | undefined;
  let read = 0;
  for await (const rows of batches) {
    waiting.push(...rows);
    if (!fences) {
      if (waiting.length < sizes.fence) continue;
      const block = await lastBlock(report, head);
      if (!block) return { ended: false };
      fences = fenceBuilder({ blocks: [block], last: head.last }, sizes);
    }
    for (const row of waiting.splice(0)) {
      fences.add(row);
      read++;
      const enough = fences.fenced.blocks.length >= blocksPerWrite || read >= rowsPerWrite;
      if (enough && fences.fenced.last !== head.last) return { sealed: fences.fenced, ended: false };
    }
  }
  const changed = fences !== undefined && fences.fenced.last !== head.last;
  return changed ? { sealed: fences!.fenced, ended: true } : { ended: true };
}

/** The block to go on from; undefined where somebody sealed between the reads of the head and of the block. */
async function lastBlock(report: Report, head: FenceHead): Promise<Block | undefined> {
  const index = head.firsts.length - 1;
  if (head.version === 0) return emptyBlock(head.firsts[0]!, listsOf(report.report).length);
  const block = await readBlock(report, head.firsts[index]!, { consistent: true });
  return isBlockOf(head, index, block) ? block : undefined;
}

/** A row that the stream told of cannot be seen in the index yet. */
export class NotVisibleYet extends Error {
  override name = 'NotVisibleYet';
}

/**
 * Sees to it that rows which may have come late are counted: derives the blocks they belong to anew. Rows that
 * are not sealed yet need nothing. Throws NotVisibleYet where the index does not show one of them yet.
 */
export async function mend(report: Report, ulids: string[], options: SealOptions = {}): Promise<void> {
  const { last, firsts } = await readHead(report, { consistent: true });
  const sealed = ulids.filter((ulid) => ulid <= last);
  const touched = new Set(sealed.map((ulid) => firsts.findLast((first) => first <= ulid)!));
  for (const first of touched) await deriveAnew(report, first, sealed, options);
}

async function deriveAnew(
  report: Report,
  first: string,
  expected: string[],
  { sizes = defaultSizes }: SealOptions,
) {
  for (;;) {
    const head = await readHead(report, { consistent: true });
    const index = head.firsts.findLastIndex((begin) => begin <= first);
    const isLast = index === head.firsts.length - 1;
    const span: UlidSpan = {
      from: head.firsts[index]!,
      below: isLast ? boundAfter(head.last) : head.firsts[index + 1]!,
    };
    const missing = new Set(expected.filter((ulid) => ulid >= span.from && ulid < span.below));
    const empty = emptyBlock(span.from, head.counts.length);
    const fences = fenceBuilder({ blocks: [empty], last: '' }, sizes);
    for await (const rows of mergedUlids(rangesOf(report), span)) {
      for (const row of rows) {
        fences.add(row);
        missing.delete(row.ulid);
      }
    }
    if (missing.size > 0)
      throw new NotVisibleYet('the index does not show all of the rows that were told of');
    if (!isLast) fences.finish();
    const { blocks, last } = fences.fenced;
    if (blocks.length === 1 && isBlockOf(head, index, blocks[0]) && (!isLast || last === head.last)) return;
    const sealed = { blocks, last: isLast ? last : head.last };
    if (await replaceBlocks(report, head, { from: index, to: index + 1, fenced: sealed })) return;
  }
}

const recentMs = 60 * 60 * 1000;

/**
 * Counts the sealed rows of the last hour once more, and mends their blocks where the index shows more of
 * them than it did: for rows that it showed so late that the stream had long told of them.
 */
export async function recheck(report: Report, now: number, options: SealOptions = {}): Promise<void> {
  const head = await readHead(report, { consistent: true });
  const since = ulidFloor(Math.max(0, now - recentMs));
  if (head.last < since) return;
  const index = Math.max(
    0,
    head.firsts.findLastIndex((first) => first <= since),
  );
  const block = await readBlock(report, head.firsts[index]!, { consistent: true });
  if (!isBlockOf(head, index, block)) return;
  const lists = listsOf(report.report).map((_, list) => list);
  const mark = lastUpTo(countedKeysOf(block, lists, 0, options.sizes), since) ?? {
    key: everyUlid.from,
    rowsBefore: 0,
  };
  const counted = sum(head.counts.flatMap((counts) => counts.slice(index))) - mark.rowsBefore;
  const seen = await countRecords(rangesOf(report), { from: mark.key, below: boundAfter(head.last) });
  if (seen === counted) return;
  for (const first of head.firsts.slice(index)) await deriveAnew(report, first, [], options);
}

/** Forgets a report's fences and makes them anew from its rows. Reports stay right meanwhile, but are slow. */
export async function rebuild(report: Report, now: number, options: SealOptions = {}): Promise<void> {
  while (!(await forgetFences(report))) {
    // A sealer wrote at the same moment: what it wrote is forgotten as well.
  }
  while (!(await seal(report, now, options))) {
    // Another sealer does the same work; both go on from where the faster one is.
  }
}
