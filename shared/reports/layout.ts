/** Where the rows of a report lie, by its fences. Pure: it is told what has been read, and reads nothing. */

import {
  type Block,
  blockWithoutFences,
  type CountedKey,
  countedKeysOf,
  type FenceHead,
  type FenceSizes,
  isBlockOf,
  lastUpTo,
  sizesIn,
  sum,
} from './fences.ts';
import { boundAfter, everyUlid } from './record-lists.ts';
import type { PageWindow } from './row-index.ts';

/** The rows of some of a report's lists that have fences, as far as the head and blocks have been read. */
export type Layout = {
  head: FenceHead;
  /** Which of the report's lists are counted, by index. */
  lists: number[];
  sizes: FenceSizes;
  /** The rows of these lists before each block, and after the last block all that have fences. */
  rowsBefore: number[];
  /** The blocks that have been read, each at its index. */
  blocks: (Block | undefined)[];
};

/** What the head alone says of some of the report's lists (by index). */
export function layoutOf(head: FenceHead, lists: number[]): Layout {
  const rowsBefore = [0];
  for (const index of head.firsts.keys()) {
    const rows = sum(lists.map((list) => head.counts[list]![index]!));
    rowsBefore.push(rowsBefore[index]! + rows);
  }
  return { head, lists, sizes: sizesIn(head), rowsBefore, blocks: head.firsts.map(() => undefined) };
}

/** A layout that knows a block too; undefined if the block is not the one that the head was written with. */
export function withBlock(layout: Layout, index: number, block: Block | undefined): Layout | undefined {
  if (!isBlockOf(layout.head, index, block)) return undefined;
  return { ...layout, blocks: layout.blocks.with(index, block) };
}

/** As `withBlock`, for the block that a bound lies in, unless the bound's position is known without it. */
export function withBlockAt(layout: Layout, bound: string, block: Block | undefined): Layout | undefined {
  const index = blockAt(layout, bound);
  const known = bound === everyUlid.from || bound >= endOf(layout) || rowsIn(layout, index) === 0;
  return known ? layout : withBlock(layout, index, block);
}

/** The bound after the last row that has a fence. */
export const endOf = ({ head }: Layout): string => boundAfter(head.last);
/** How many rows have fences. */
export const rowsOf = ({ rowsBefore }: Layout): number => rowsBefore.at(-1)!;
const rowsIn = ({ rowsBefore }: Layout, index: number) => rowsBefore[index + 1]! - rowsBefore[index]!;
const blockAt = ({ head }: Layout, key: string) => head.firsts.findLastIndex((first) => first <= key);

/** All fences that are known; of a block that has not been read its beginning alone. */
export const fencesOf = (layout: Layout): CountedKey[] =>
  layout.head.firsts.flatMap((_, index) => fencesIn(layout, index));

function fencesIn({ head, blocks, lists, rowsBefore, sizes }: Layout, index: number): CountedKey[] {
  return countedKeysOf(blocks[index] ?? blockWithoutFences(head, index), lists, rowsBefore[index]!, sizes);
}

/** The last fence at or before a bound, and how many rows may lie before the bound itself at most. */
export function fenceBefore(layout: Layout, bound: string): CountedKey & { atMost: number } {
  if (bound >= endOf(layout)) {
    return { key: endOf(layout), rowsBefore: rowsOf(layout), atMost: rowsOf(layout) };
  }
  const index = blockAt(layout, bound);
  const fences = fencesIn(layout, index);
  const fence = lastUpTo(fences, bound)!;
  if (fence.key === bound) return { ...fence, atMost: fence.rowsBefore };
  const next = fences.find(({ key }) => key > bound);
  return { ...fence, atMost: next?.rowsBefore ?? layout.rowsBefore[index + 1]! };
}

/**
 * The blocks, by index, that the page may lie in and that are not known yet; but not those so small that reading their
 * rows costs no more. `from` and `to` are the fences before the ends of the range.
 */
export function blocksToRead(
  layout: Layout,
  [from, to]: [ReturnType<typeof fenceBefore>, ReturnType<typeof fenceBefore>],
  { offset, size }: PageWindow,
): number[] {
  const { head, rowsBefore, blocks, sizes } = layout;
  const first = from.rowsBefore + offset;
  const last = Math.min(from.atMost + offset + size, to.atMost);
  return [...head.firsts.keys()]
    .filter((index) => rowsBefore[index + 1]! > first && rowsBefore[index]! < last)
    .filter((index) => !blocks[index] && rowsIn(layout, index) > sizes.fence);
}
