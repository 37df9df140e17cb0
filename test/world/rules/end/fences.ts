/** The rule of fences: they are what they would be, were they made anew from the rows of today. */
import { crc32, inflateRawSync } from 'node:zlib';
import { encodeTime } from 'ulid';
import type { StoredItem } from '../../journal.ts';
import { isSame } from '../texts.ts';
import { groupBy } from './exchanges.ts';
import type { EndRule } from './world.ts';

/**
 * Rows that are counted at once, with a fence for them all or one for each (`named`), and one in how many rows begins a
 * block, and a node of each level; how many blocks a report has without nodes.
 */
export type Sizes = { fence: number; named?: boolean; block: number; nodes: number[]; blocks: number };
/** Those of a report whose head does not say them. */
const usualSizes: Sizes = { fence: 16, block: 4096, nodes: [1_048_576, 268_435_456], blocks: 5000 };

type Row = { ulid: string; list: number };
/** The fences of a block, as they are stored. */
export type Block = { first: string; counts: number[]; keys: string[]; shares: number[] };

/** What is said of a block or a node above it. */
type Child = { first: string; level: number; counts: number[] };
/** A node of blocks, or of nodes. */
export type Node = { first: string; level: number; children: Child[] };

/** The shortest beginning of a ULID that sorts after the one before it. */
function shortest(before: string, ulid: string): string {
  const length = [...ulid].findIndex((digit, index) => digit !== before[index]);
  return ulid.slice(0, length + 1);
}

/**
 * The fences of rows, given oldest first: a row whose ULID's checksum says so begins a block; within a block there is a
 * fence before each row after 16 others, or at the time of each row but the one that begins it. The rows of the last block that has 16 of them have fences as far as they fill
 * whole stretches, and so have all rows before that block; what follows has none yet.
 */
export function fencesOf(rows: Row[], lists: number, sizes = usualSizes): { last: string; blocks: Block[] } {
  const { fence, block } = sizes;
  const stretches: { first: string; rows: Row[] }[] = [{ first: '0', rows: [] }];
  for (const row of rows) {
    if (crc32(row.ulid) % block === 0) stretches.push({ first: row.ulid, rows: [] });
    stretches.at(-1)!.rows.push(row);
  }
  const lastFull = stretches.findLastIndex((one) => one.rows.length >= fence);
  const fenced = stretches.slice(0, Math.max(1, lastFull + 1)).map((one, index) => {
    const whole = lastFull < 0 ? 0 : one.rows.length - (index === lastFull ? one.rows.length % fence : 0);
    return { first: one.first, rows: one.rows.slice(0, whole) };
  });
  const last = fenced.flatMap((one) => one.rows.slice(-1)).at(-1)?.ulid ?? '';
  return { last, blocks: fenced.map((one) => blockOf(one.first, one.rows, lists, sizes)) };
}

function blockOf(first: string, rows: Row[], lists: number, { fence, named }: Sizes): Block {
  const made: Block = { first, counts: Array(lists).fill(0), keys: [], shares: [] };
  rows.forEach(({ ulid, list }, index) => {
    if (named ? ulid !== first : index > 0 && index % fence === 0) {
      made.keys.push(named ? ulid.slice(0, 10) : shortest(rows[index - 1]!.ulid, ulid));
      if (lists > 1) made.shares.push(made.counts[0]!);
    }
    made.counts[list]!++;
  });
  return made;
}

/**
 * The nodes over blocks, and what is left for the head. A block whose checksum says so begins a node of some level, and
 * ends the one before it; what lies before the last beginning of a level is in nodes of that level. Few blocks have none.
 */
export function treeOf(blocks: Block[], sizes = usualSizes): { nodes: Node[]; head: Child[] } {
  const beginnings = sizes.nodes.map((rows) =>
    blocks.map(({ first }) => first).filter((first, index) => index === 0 || crc32(first) % rows === 0),
  );
  const nodes: Node[] = [];
  const head: Child[] = [];
  let below = blocks.map(({ first, counts }): Child => ({ first, level: 0, counts }));
  if (blocks.length <= sizes.blocks) return { nodes, head: below };
  for (const [index, firsts] of beginnings.entries()) {
    const made = firsts.slice(0, -1).map((first, nth) => ({
      first,
      level: index + 1,
      children: below.filter((child) => child.first >= first && child.first < firsts[nth + 1]!),
    }));
    head.unshift(...below.filter(({ first }) => first >= firsts.at(-1)!));
    nodes.push(...made);
    below = made.map(({ first, level, children }) => ({ first, level, counts: countsOf(children) }));
  }
  return { nodes, head: [...below, ...head] };
}

const countsOf = (children: Child[]): number[] =>
  children[0]!.counts.map((_, list) => children.reduce((sum, { counts }) => sum + counts[list]!, 0));

/** The reports, and the lists of records that each has. */
const reports = { tickets: ['tickets'], entries: ['truck', 'flight'], outcomes: ['outcomes'] };

/** The fences of an organization's reports before there are rows, of other sizes than the usual ones. */
export const emptyFences = (organizationId: string, sizes: Sizes): StoredItem[] =>
  Object.entries(reports).flatMap(([report, lists]) => {
    const pk = `FENCES#${organizationId}#${report}`;
    const none = lists.map(() => 0);
    const head = { version: 1, last: '', firsts: ['0'], counts: none.map((count) => [count]), sizes };
    return [
      { pk, sk: 'HEAD', ...head },
      { pk, sk: 'BLOCK#0', ...blockOf('0', [], lists.length, sizes), version: 1 },
    ];
  });

/** Fences are made a minute after their rows, and looked over every 15 minutes. */
const drainedMs = 45 * 60_000;

/**
 * The fences of each report, head, nodes and blocks together, are those that follow from its rows: of all rows if the last
 * one is old enough, else of those up to the last one that has a fence.
 */
const asMadeAnew: EndRule = {
  rule: 'fences are those made anew',
  check(world, say) {
    const rows = groupBy(world.of('record'), ({ organization_id, kind }) =>
      // No report shows orders.
      kind === 'orders' ? undefined : `${organization_id}#${kind}`,
    );
    for (const [name, records] of rows) {
      const lists = reports[name.split('#')[1] as keyof typeof reports];
      const all = records
        .map(({ tsk, entry_type = lists[0] }) => ({ ulid: tsk, list: lists.indexOf(entry_type) }))
        .sort((a, b) => (a.ulid < b.ulid ? -1 : 1));
      const head = world.item(`FENCES#${name}`, 'HEAD');
      const newest = Math.max(...records.map(({ date_created }) => Date.parse(date_created)));
      const isDrained = newest + drainedMs < world.now;
      const last = head?.last ?? '';
      const sizes = { ...usualSizes, ...head?.sizes };
      const fenced = isDrained ? all : all.filter(({ ulid }) => ulid <= last);
      const { blocks, ...expected } = fencesOf(fenced, lists.length, sizes);
      const tree = treeOf(blocks, sizes);
      const item = (key: string) => world.item(`FENCES#${name}`, key);
      const isStored =
        isSame(childrenOf(head), tree.head) &&
        tree.nodes.every((node) =>
          isSame(childrenOf(item(`NODE#${node.level}#${node.first}`)), node.children),
        ) &&
        blocks.every((block) => isSame(blockIn(item(`BLOCK#${block.first}`)), block));
      if (expected.last !== last) say(`${name} has fences up to ${last}, of rows up to ${expected.last}`);
      else if (last !== '' && !isStored) say(`${name} has other fences than its rows say`);
      if (isDrained && !world.item('REPORTS', name)) say(`${name} is not known to have rows`);
    }
  },
};

/** What a head or a node says of those below it: packed, or of a head without nodes by lists. */
function childrenOf(item: StoredItem | undefined): Child[] {
  if (item?.children) return JSON.parse(inflateRawSync(item.children).toString());
  return (item?.firsts ?? []).map((first: string, index: number) => {
    const counts = item!.counts.map((list: number[]) => list[index]);
    return { first, level: 0, counts };
  });
}

/** A block as it is stored: its keys and shares, or packed how much each is more than the one before it. */
function blockIn({ first, counts, keys, shares, rows }: Partial<StoredItem> = {}) {
  if (!rows) return { first, counts, keys, shares };
  const { later, more } = JSON.parse(inflateRawSync(rows).toString()) as Record<string, number[]>;
  const totals = (numbers: number[]) =>
    numbers.map((_, at) => numbers.slice(0, at + 1).reduce((a, b) => a + b));
  return { first, counts, keys: totals(later!).map((ms) => encodeTime(ms, 10)), shares: totals(more!) };
}

export const fenceRules = [asMadeAnew];
