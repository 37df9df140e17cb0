/** Where the rows of a report lie, by its fences. Pure: it is told what has been read, and reads nothing. */
import { type Block, type CountedKey, countedKeysOf, isTime, lastUpTo, sum } from './fences.ts';
import { boundAfter, everyUlid, type UlidSpan } from './record-lists.ts';
import type { PageWindow } from './row-index.ts';
import {
  childAt,
  type FenceHead,
  type FenceNode,
  isBlockOf,
  type Place,
  sizesIn,
  withNodeOpen,
} from './tree.ts';

/** The rows of some of a report's lists that have fences, as far as the head, nodes and blocks have been read. */
export type Layout = {
  /** With the children of the nodes that have been read in their places. */
  head: FenceHead;
  /** Which of the report's lists are counted, by index. */
  lists: number[];
  /** The rows of these lists before each child, and after the last child all that have fences. */
  rowsBefore: number[];
  /** The blocks that have been read, by where they begin. */
  blocks: ReadonlyMap<string, Block>;
};

/** What the head alone says of some of the report's lists (by index). */
export function layoutOf(head: FenceHead, lists: number[], blocks: Layout['blocks'] = new Map()): Layout {
  const rowsBefore = [0];
  for (const [index, { counts }] of head.children.entries()) {
    rowsBefore.push(rowsBefore[index]! + sum(lists.map((list) => counts[list]!)));
  }
  return { head, lists, rowsBefore, blocks };
}

/** A layout that knows a node too; undefined if the node is not the one that the head was written with. */
export function withNode({ head, lists, blocks }: Layout, node: FenceNode | undefined): Layout | undefined {
  const children = withNodeOpen(head.children, node);
  return children && layoutOf({ ...head, children }, lists, blocks);
}

/** A layout that knows a block too; undefined if the block is not the one that the head was written with. */
export function withBlock(layout: Layout, index: number, block: Block | undefined): Layout | undefined {
  if (!isBlockOf(layout.head.children[index]!, block)) return undefined;
  return { ...layout, blocks: new Map(layout.blocks).set(block.first, block) };
}

/** As `withBlock`, for the block that a bound lies in, unless the bound's position is known without it. */
export function withBlockAt(layout: Layout, bound: string, block: Block | undefined): Layout | undefined {
  return isKnown(layout, bound) ? layout : withBlock(layout, childAt(layout.head.children, bound), block);
}

/** Whether the head says how many rows lie before a bound. */
const isKnown = (layout: Layout, bound: string) =>
  bound === everyUlid.from ||
  bound >= endOf(layout) ||
  rowsIn(layout, childAt(layout.head.children, bound)) === 0;

/** The bound after the last row that has a fence. */
export const endOf = ({ head }: Layout): string => boundAfter(head.last);
/** How many rows have fences. */
export const rowsOf = ({ rowsBefore }: Layout): number => rowsBefore.at(-1)!;
const rowsIn = ({ rowsBefore }: Layout, index: number) => rowsBefore[index + 1]! - rowsBefore[index]!;

/** All fences that are known; of a node or block that has not been read its beginning alone. */
export const fencesOf = (layout: Layout): CountedKey[] =>
  layout.head.children.flatMap((_, index) => fencesIn(layout, index));

function fencesIn({ head, blocks, lists, rowsBefore }: Layout, index: number): CountedKey[] {
  const { first } = head.children[index]!;
  const block = blocks.get(first);
  if (!block) return [{ key: first, rowsBefore: rowsBefore[index]! }];
  return countedKeysOf(block, lists, rowsBefore[index]!, sizesIn(head));
}

const isNamed = ({ head, blocks }: Layout, index: number) =>
  sizesIn(head).named && blocks.has(head.children[index]!.first);

/** The last fence at or before a bound, or the bound itself if its place is known without a count; and how many rows may lie before the bound at most. */
export function fenceBefore(layout: Layout, bound: string): CountedKey & { atMost: number } {
  if (bound >= endOf(layout)) {
    return { key: endOf(layout), rowsBefore: rowsOf(layout), atMost: rowsOf(layout) };
  }
  const index = childAt(layout.head.children, bound);
  const fences = fencesIn(layout, index);
  const fence = lastUpTo(fences, bound)!;
  if (fence.key === bound) return { ...fence, atMost: fence.rowsBefore };
  const next = fences.find(({ key }) => key > bound);
  const atMost = next?.rowsBefore ?? layout.rowsBefore[index + 1]!;
  // Where rows are named, the one before the bound lies before its time, and the next one does not.
  const isExact = isNamed(layout, index) && isTime(bound);
  if (isExact || atMost === fence.rowsBefore) return { key: bound, rowsBefore: atMost, atMost };
  return { ...fence, atMost };
}

/**
 * The nodes that have to be read before the blocks of a page are known, as far as can be said yet: those that an end of
 * the range lies in, of all levels at once, and those that the page may lie in. Of the latter only those of the highest
 * level while it is not known how many rows lie before the range: they are few. None if all have been read.
 */
export function nodesToRead(layout: Layout, span: UlidSpan, window: PageWindow): Place[] {
  const { children } = layout.head;
  const [toStart, toEnd] = [nodesAt(layout, span.from), nodesAt(layout, span.below)];
  const lowest = toStart.length > 0 ? sizesIn(layout.head).nodes.length : 1;
  const ofPage = childrenOfPage(layout, span, window)
    .map((index) => children[index]!)
    .filter(({ level }) => level >= lowest)
    .map(({ level, first }) => ({ level, key: first }));
  const places = [...toStart, ...toEnd, ...ofPage].map((place) => [`${place.level} ${place.key}`, place]);
  return [...new Map(places as [string, Place][]).values()];
}

/** The nodes that a bound lies in; those below the first one are found by the bound. */
function nodesAt(layout: Layout, bound: string): Place[] {
  if (isKnown(layout, bound)) return [];
  const { level, first } = layout.head.children[childAt(layout.head.children, bound)]!;
  return Array.from({ length: level }, (_, index) => ({
    level: level - index,
    key: index === 0 ? first : bound,
  }));
}

/** The blocks, by index, that the page may lie in and that are not known yet. */
export const blocksToRead = (layout: Layout, span: UlidSpan, window: PageWindow): number[] =>
  childrenOfPage(layout, span, window).filter(
    (index) => !layout.blocks.has(layout.head.children[index]!.first),
  );

/** The children, by index, that the page may lie in; but not those so small that reading their rows costs no more. */
function childrenOfPage(layout: Layout, span: UlidSpan, { offset, size }: PageWindow): number[] {
  const { head, rowsBefore } = layout;
  const [from, to] = [fenceBefore(layout, span.from), fenceBefore(layout, span.below)];
  const first = from.rowsBefore + offset;
  const last = Math.min(from.atMost + offset + size, to.atMost);
  return [...head.children.keys()]
    .filter((index) => rowsBefore[index + 1]! > first && rowsBefore[index]! < last)
    .filter((index) => rowsIn(layout, index) > sizesIn(head).fence);
}
