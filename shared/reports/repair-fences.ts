import { ulidFloor } from '../ids.ts';
import { type ExtendOptions, extendFences } from './extend-fences.ts';
import { forgetFences, readBlock, readHead, replaceBlocks } from './fence-items.ts';
import {
  countedKeysOf,
  emptyBlock,
  type FencedRows,
  type FenceHead,
  fenceBuilder,
  isBlockOf,
  lastUpTo,
  shardsIn,
  sizesIn,
  sum,
} from './fences.ts';
import { boundAfter, countRecords, mergedUlids, type UlidSpan } from './record-lists.ts';
import { listsOf, type Report, rangesOf } from './report-lists.ts';

/** A row that the stream told of cannot be seen in the index yet. */
export class NotVisibleYet extends Error {
  override name = 'NotVisibleYet';
}

/**
 * Sees to it that rows which may have come late are counted: makes the blocks that they belong to anew. Rows after the
 * last fence need nothing. Throws NotVisibleYet if the index does not show one of them yet.
 */
export async function repairFences(report: Report, ulids: string[]): Promise<void> {
  const { last, firsts } = await readHead(report, { consistent: true });
  const fenced = ulids.filter((ulid) => ulid <= last);
  const touched = new Set(fenced.map((ulid) => firsts.findLast((first) => first <= ulid)!));
  for (const first of touched) await remakeBlock(report, first, fenced);
}

/** Makes the block that begins at a key anew, until it is stored as its rows say; `expected` rows have to be seen. */
async function remakeBlock(report: Report, first: string, expected: string[]) {
  for (;;) {
    const head = await readHead(report, { consistent: true });
    const index = head.firsts.findLastIndex((begin) => begin <= first);
    const isLast = index === head.firsts.length - 1;
    const { blocks, last } = await blocksAnew(report, head, index, expected);
    if (blocks.length === 1 && isBlockOf(head, index, blocks[0]) && (!isLast || last === head.last)) return;
    const fenced = { blocks, last: isLast ? last : head.last };
    if (await replaceBlocks(report, head, { from: index, to: index + 1, fenced })) return;
  }
}

/** A block as its rows say, and those after it if it has become several. */
async function blocksAnew(
  report: Report,
  head: FenceHead,
  index: number,
  expected: string[],
): Promise<FencedRows> {
  const from = head.firsts[index]!;
  const next = head.firsts[index + 1];
  const span: UlidSpan = { from, below: next ?? boundAfter(head.last) };
  const missing = new Set(expected.filter((ulid) => ulid >= span.from && ulid < span.below));
  const builder = fenceBuilder({ blocks: [emptyBlock(from, head.counts.length)], last: '' }, sizesIn(head));
  for await (const rows of mergedUlids(rangesOf(report, shardsIn(head)), span)) {
    for (const row of rows) {
      builder.add(row);
      missing.delete(row.ulid);
    }
  }
  if (missing.size > 0) {
    throw new NotVisibleYet('the index does not show all of the rows that were told of');
  }
  if (next !== undefined) builder.finish();
  return builder.fenced;
}

const recentMs = 60 * 60 * 1000;

/**
 * Counts the rows of the last hour that have fences once more, and makes their blocks anew if the index shows more of
 * them than it did: for rows that it showed so late that the stream had long told of them. The head is read unless it
 * is given as it was just now.
 */
export async function recountLastHour(
  report: Report,
  now: number,
  options: { head?: FenceHead | undefined } = {},
): Promise<void> {
  const head = options.head ?? (await readHead(report, { consistent: true }));
  const since = ulidFloor(Math.max(0, now - recentMs));
  if (head.last < since) return;
  const index = head.firsts.findLastIndex((first) => first <= since);
  const block = await readBlock(report, head.firsts[index]!, { consistent: true });
  if (!isBlockOf(head, index, block)) return;
  const lists = [...listsOf(report.report).keys()];
  const start = lastUpTo(countedKeysOf(block, lists, 0, sizesIn(head)), since)!;
  const counted = sum(head.counts.flatMap((counts) => counts.slice(index))) - start.rowsBefore;
  const found = await countRecords(rangesOf(report, shardsIn(head)), {
    from: start.key,
    below: boundAfter(head.last),
  });
  if (found === counted) return;
  for (const first of head.firsts.slice(index)) await remakeBlock(report, first, []);
}

/** Forgets a report's fences and makes them anew from its rows. Reports stay right meanwhile, but are slow. */
export async function rebuildFences(report: Report, now: number, options: ExtendOptions = {}): Promise<void> {
  while (!(await forgetFences(report, options.sizes))) {
    // Fences were written at the same moment, and are forgotten as well.
  }
  while (!(await extendFences(report, now, options))) {
    // Somebody else does the same work; both go on from where the faster one is.
  }
}
