/**
 * The tree above a report's blocks. A node has the blocks of a stretch of rows as its children, a node of the next level
 * such nodes; the head has as children what no node has yet. Nodes begin where blocks do, at rows that their own ULID
 * chooses: so the tree follows from the rows alone, and one more row changes nothing but the way to its block.
 */
import { crc32 } from 'node:zlib';
import { type Block, defaultSizes, type FenceSizes, firstBlock, formerSizes, sum } from './fences.ts';

/** What a head or a node says of a block (level 0) or a node: where it begins, and its rows of each list. */
export type Child = { first: string; level: number; counts: number[] };

/** The children of a stretch of rows, all of the level below its own. */
export type FenceNode = { first: string; level: number; children: Child[] };

/** Where a node is looked for: at a level, by its beginning or any other key in it. */
export type Place = { level: number; key: string };

/** What is known of a report's fences as a whole. */
export type FenceHead = {
  /** Rises with every change; 0 if nothing was ever stored. */
  version: number;
  /** ULID of the last row that has fences, empty if there is none. */
  last: string;
  /** In the order of their rows, and so the higher ones before the lower ones; the last one is a block. */
  children: Child[];
  /** How far its fences lie apart; as they did before if absent. */
  sizes?: Pick<FenceSizes, 'fence' | 'block'> & Partial<FenceSizes>;
};

/** How far the fences of a report lie apart, and how many rows its blocks and nodes have. */
export const sizesIn = ({ sizes = formerSizes }: FenceHead): FenceSizes => ({
  ...defaultSizes,
  named: false,
  ...sizes,
});

/** How many rows of a report have fences. */
export const fencedRowsIn = ({ children }: FenceHead): number =>
  sum(children.flatMap(({ counts }) => counts));

/** The head of a report without fences. */
export const emptyHead = (lists: number, version: number, sizes: FenceSizes = defaultSizes): FenceHead => ({
  sizes,
  version,
  last: '',
  children: [{ first: firstBlock, level: 0, counts: Array(lists).fill(0) }],
});

/** What is said of a block above it. */
export const childOf = ({ first, counts }: Block): Child => ({ first, level: 0, counts });

/** Whether a block is the one that is said to be there. Rows are never taken away: if the counts agree, all does. */
export function isBlockOf(child: Child, block: Block | undefined): block is Block {
  return block !== undefined && block.first === child.first && isSame(block.counts, child.counts);
}

/** The same with the children of a node in its place; undefined if the node is not the one that is said to be there. */
export function withNodeOpen(children: Child[], node: FenceNode | undefined): Child[] | undefined {
  const index = children.findIndex(({ first, level }) => first === node?.first && level === node.level);
  if (!node || index < 0 || !isSame(countsOf(node), children[index]!.counts)) return undefined;
  return children.toSpliced(index, 1, ...node.children);
}

const countsOf = ({ children }: FenceNode): number[] =>
  children[0]!.counts.map((_, list) => sum(children.map(({ counts }) => counts[list]!)));

const isSame = (some: number[], others: number[]) => some.every((count, list) => count === others[list]);

/** The child that a key lies in, by its index. */
export const childAt = (children: Child[], key: string): number =>
  children.findLastIndex(({ first }) => first <= key);

/**
 * Gathers the children of each stretch that has ended into a node, level by level, and returns the nodes that this made:
 * up to 50, as a transaction has no place for more, which leaves the others for the next time. A report that is not that
 * large is left without nodes, and its pages take no more round trips for them.
 */
export function gathered(children: Child[], sizes: FenceSizes): { children: Child[]; nodes: FenceNode[] } {
  if (children.length <= sizes.blocks && children.every(({ level }) => level === 0)) {
    return { children, nodes: [] };
  }
  const open: Child[] = [];
  const nodes: FenceNode[] = [];
  for (const child of children) {
    for (let level = 1; level <= levelAt(child.first, sizes); level++) {
      const from = open.findLastIndex((one) => one.level >= level) + 1;
      if (from === open.length || nodes.length === mostNodes) continue;
      const node: FenceNode = { first: open[from]!.first, level, children: open.splice(from) };
      nodes.push(node);
      open.push({ first: node.first, level, counts: countsOf(node) });
    }
    open.push(child);
  }
  return { children: open, nodes };
}

const mostNodes = 50;

/** The highest level at which a node (or block: 0) begins with a row; below 0 if not even a block does. */
export function levelAt(ulid: string, { block, nodes }: Pick<FenceSizes, 'block' | 'nodes'>): number {
  const checksum = crc32(ulid);
  return [block, ...nodes].findLastIndex((rows) => checksum % rows === 0);
}
