/** Fences as they are stored: a head, and an item for each block and each node. */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { timeOfUlid, ulidFloor } from '../ids.ts';
import { Conflict, type Item, type Part, transact } from '../table/client.ts';
import {
  fenceHeadKey,
  fenceHeadOf,
  fenceNodeKey,
  fenceNodesOf,
  knownReportKey,
} from '../table/fence-keys.ts';
import { between } from '../table/keys.ts';
import { query } from '../table/ranges.ts';
import { type Block, defaultSizes, emptyBlock, type FenceSizes, firstBlock } from './fences.ts';
import { listsOf, type Report } from './report-lists.ts';
import {
  type Child,
  childAt,
  emptyHead,
  type FenceHead,
  type FenceNode,
  gathered,
  type Place,
  sizesIn,
  withNodeOpen,
} from './tree.ts';

/** A report's head; one without rows if there is none yet. It costs half if it need not be the newest. */
export async function readHead(
  report: Report,
  { consistent, sizes }: { consistent: boolean; sizes?: FenceSizes | undefined },
): Promise<FenceHead> {
  const { items } = await query(fenceHeadOf(report.organizationId, report.report), { consistent });
  return items[0] ? headIn(items[0]) : emptyHead(listsOf(report.report).length, 0, sizes);
}

type Consistency = { consistent: boolean };

/** The block that a key lies in, as far as it is stored: the last one that does not begin after it. */
export async function readBlock(report: Report, key: string, how: Consistency): Promise<Block | undefined> {
  const item = await readLastUpTo(report, { level: 0, key }, how);
  return item && blockIn(item);
}

/** The node at a place, as far as it is stored: the last one of the level that does not begin after the key. */
export async function readNode(
  report: Report,
  place: Place,
  how: Consistency,
): Promise<FenceNode | undefined> {
  const item = await readLastUpTo(report, place, how);
  return item && { first: String(item.first), level: place.level, children: unpacked(item.children) };
}

async function readLastUpTo(
  { organizationId, report }: Report,
  { level, key }: Place,
  { consistent }: Consistency,
): Promise<Item | undefined> {
  const upToKey = between(fenceNodesOf(organizationId, report, level), '', key);
  return (await query(upToKey, { newestFirst: true, limit: 1, consistent })).items[0];
}

/**
 * A head's children with the nodes open that a key lies in, so that its block is among them. Returns undefined if fences
 * were written between the reads.
 */
export async function childrenAround(
  report: Report,
  { children }: FenceHead,
  key: string,
): Promise<Child[] | undefined> {
  let open: Child[] | undefined = children;
  let level = open[childAt(open, key)]!.level;
  for (; open && level > 0; level--) {
    open = withNodeOpen(open, await readNode(report, { level, key }, { consistent: true }));
  }
  return open;
}

/** What is to be stored: the head's children, not gathered yet where a stretch has ended, and the blocks that are new. */
export type Change = { children: Child[]; blocks: Block[]; last: string };

/**
 * Stores head, blocks and nodes together. Returns the new head, or undefined if somebody else was faster and nothing was
 * stored.
 */
export async function writeFences(
  report: Report,
  head: FenceHead,
  { children, blocks, last }: Change,
): Promise<FenceHead | undefined> {
  const version = head.version + 1;
  const { nodes, ...above } = gathered(children, sizesIn(head));
  const next: FenceHead = { ...head, ...above, version, last };
  const parts: Record<string, Part> = { head: headPart(report, head.version, next) };
  blocks.forEach((block, index) => {
    parts[`block${index}`] = blockPart(report, block, version, sizesIn(head));
  });
  nodes.forEach((node, index) => {
    parts[`node${index}`] = { Put: { Item: nodeItem(report, node, version) } };
  });
  return (await written(parts)) ? next : undefined;
}

/**
 * Makes a report's head one without rows, whatever it was, and of the sizes of today if all of its blocks are written
 * over then: one that is left would be taken for that of its rows. Returns undefined if somebody else was faster.
 */
export async function forgetFences(report: Report, asked?: FenceSizes): Promise<FenceHead | undefined> {
  const lists = listsOf(report.report).length;
  const head = await readHead(report, { consistent: true });
  const { version } = head;
  const sizes = asked ?? (sizesIn(head).block % defaultSizes.block === 0 ? defaultSizes : sizesIn(head));
  const next = emptyHead(lists, version + 1, sizes);
  const parts = {
    head: headPart(report, version, next),
    block: blockPart(report, emptyBlock(firstBlock, lists), next.version, sizes),
  };
  return (await written(parts)) ? next : undefined;
}

/** Notes that a report has rows, for those who look after all reports. */
export function knownReport({ organizationId, report }: Report) {
  return { ...knownReportKey(organizationId, report), organization_id: organizationId, report };
}

const blockPart = (
  { organizationId, report }: Report,
  block: Block,
  version: number,
  sizes: FenceSizes,
): Part => {
  const stored = sizes.named ? rowsPacked(block) : block;
  return { Put: { Item: { ...fenceNodeKey(organizationId, report, 0, block.first), ...stored, version } } };
};

/** A node as it is stored with a version of the head. */
export const nodeItem = ({ organizationId, report }: Report, node: FenceNode, version: number): Item => ({
  ...fenceNodeKey(organizationId, report, node.level, node.first),
  first: node.first,
  children: packed(node.children),
  version,
});

function headPart({ organizationId, report }: Report, version: number, head: FenceHead): Part {
  return {
    Put: {
      Item: { ...fenceHeadKey(organizationId, report), ...itemOf(head) },
      ...(version === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } }),
    },
  };
}

async function written(parts: Record<string, Part>): Promise<boolean> {
  try {
    return (await transact(parts)) === undefined;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}

/**
 * A head has its children packed once there are nodes among them, or if its blocks name their rows; otherwise it is
 * stored as it was before there were such, and an earlier version of the service, which would lose them, cannot read it.
 */
function itemOf({ children, ...head }: FenceHead): Item {
  if (head.sizes?.named || children.some(({ level }) => level > 0)) {
    return { ...head, children: packed(children) };
  }
  const counts = children[0]!.counts.map((_, list) => children.map((child) => child.counts[list]));
  return { ...head, firsts: children.map(({ first }) => first), counts };
}

function headIn({ pk, sk, children, firsts, counts, ...item }: Item): FenceHead {
  const head = item as Omit<FenceHead, 'children'>;
  if (children) return { ...head, children: unpacked(children) };
  const ofLists = counts as number[][];
  const blocks = (firsts as string[]).map((first, index) => ({
    first,
    level: 0,
    counts: ofLists.map((ofList) => ofList[index]!),
  }));
  return { ...head, children: blocks };
}

// As attributes they would take half as much again, and a page reads some ten nodes of them.
const packed = (content: unknown): Uint8Array => deflateRawSync(JSON.stringify(content));
const unpacked = (bytes: unknown) => JSON.parse(inflateRawSync(bytes as Uint8Array).toString());

/**
 * A block that names its rows, as it is stored: of each row by how many milliseconds it is later than the one before
 * it, and of the shares by how many rows each is more than the one before it. One or two bytes a row, by how dense they
 * are, instead of eleven.
 */
function rowsPacked({ keys, shares, ...block }: Block): Item {
  return { ...block, rows: packed({ later: steps(keys.map(timeOf)), more: steps(shares) }) };
}

function blockIn({ rows, ...item }: Item): Block {
  if (!rows) return item as Block;
  const { later, more } = unpacked(rows) as { later: number[]; more: number[] };
  return { ...(item as Block), keys: totals(later).map(ulidFloor), shares: totals(more) };
}

const timeOf = (key: string) => timeOfUlid(key.padEnd(26, '0'));
const steps = (numbers: number[]) => numbers.map((number, index) => number - (numbers[index - 1] ?? 0));

function totals(numbers: number[]): number[] {
  let total = 0;
  return numbers.map((number) => {
    total += number;
    return total;
  });
}
