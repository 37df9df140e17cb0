import { RETRY, retry } from '../retry.ts';
import { shardCount } from '../shards.ts';
import type { RecordList } from '../table/keys.ts';
import { readBlock, readHead, readNode } from './fence-items.ts';
import type { Block, CountedKey } from './fences.ts';
import {
  blocksToRead,
  endOf,
  fenceBefore,
  fencesOf,
  type Layout,
  layoutOf,
  nodesToRead,
  rowsOf,
  withBlock,
  withBlockAt,
  withNode,
} from './layout.ts';
import { allMergedUlids, countRecords, everyUlid, type UlidSpan } from './record-lists.ts';
import { listsOf, type Report, rangesOf } from './report-lists.ts';
import type { PageWindow, RowIndex } from './row-index.ts';
import { sizesIn } from './tree.ts';

/** A page of some lists of an organization's report, in a range. */
export type OrganizationRows = Report & {
  lists: RecordList[];
  span: UlidSpan;
  window: PageWindow;
  /** Epoch milliseconds. */
  now: number;
};

type Consistency = { consistent: boolean };

/**
 * Counts an organization's rows in a range and finds the way to a page of them. Two round trips, whatever the range: the
 * head and the blocks at the ends of the range; then the rows that have no fences yet, the blocks in which the page may
 * lie, and in a report of before the rows between an end and the fence before it. Between the two there are up to two more in a report that
 * has nodes (`nodesToRead`); and one or two at the end if so much was written in the last minute that one query does not
 * return it.
 */
export async function indexOrganizationRows(wanted: OrganizationRows): Promise<RowIndex> {
  let consistent = false;
  return retry(() => {
    const reading = indexOnce(wanted, { consistent });
    consistent = true;
    return reading;
  });
}

/** Returns `RETRY` if fences were written between the reads, so that what was read does not belong together. */
async function indexOnce(wanted: OrganizationRows, how: Consistency): Promise<RowIndex | typeof RETRY> {
  const { span, window } = wanted;
  const bounded = await readEnds(wanted, how);
  if (!bounded) return RETRY;
  const ranges = rangesOf(wanted).filter(({ list }) => bounded.lists.includes(list));
  const [from, to] = [fenceBefore(bounded, span.from), fenceBefore(bounded, span.below)];
  const end = endOf(bounded);
  const missing = blocksToRead(bounded, span, window);
  const [rowsToStart, rowsToEnd, newest, blocks] = await Promise.all([
    countRecords(ranges, { from: from.key, below: earlier(span.from, end) }),
    countRecords(ranges, { from: to.key, below: earlier(span.below, end) }),
    allMergedUlids(ranges, { from: later(span.from, end), below: span.below }, wanted.now),
    Promise.all(missing.map((index) => readBlock(wanted, bounded.head.children[index]!.first, how))),
  ]);
  const layout = withBlocks(bounded, missing, blocks);
  if (!layout) return RETRY;
  const start = from.rowsBefore + rowsToStart;
  const total = to.rowsBefore + rowsToEnd + newest.length - start;
  const inside = [...fencesOf(layout), ...everyNth(newest, layout)]
    .filter(({ key }) => key > span.from && key < span.below)
    .map(({ key, rowsBefore }) => ({ key, rowsBefore: rowsBefore - start }));
  const keys = [{ key: span.from, rowsBefore: 0 }, ...inside, { key: span.below, rowsBefore: total }];
  return { total, keys, ranges, shards: shardCount };
}

/** The lists that are looked at, by their index among those of the report. */
const indicesOf = ({ report, lists }: OrganizationRows): number[] =>
  lists.map((list) => listsOf(report).indexOf(list));

/** Reads the head, and what leads to the ends of the range and to the page; undefined if it does not belong together. */
async function readEnds(wanted: OrganizationRows, how: Consistency): Promise<Layout | undefined> {
  const { span } = wanted;
  const [head, fromBlock, toBlock] = await Promise.all([
    readHead(wanted, how),
    span.from > everyUlid.from ? readBlock(wanted, span.from, how) : undefined,
    span.below < everyUlid.below ? readBlock(wanted, span.below, how) : undefined,
  ]);
  const layout = await readNodes(layoutOf(head, indicesOf(wanted)), wanted, how);
  const started = layout && withBlockAt(layout, span.from, fromBlock);
  return started && withBlockAt(started, span.below, toBlock);
}

/** Reads the nodes that lead to the ends of the range and to the page; most layouts have none. */
async function readNodes(
  layout: Layout,
  wanted: OrganizationRows,
  how: Consistency,
): Promise<Layout | undefined> {
  let known: Layout | undefined = layout;
  for (;;) {
    const places = nodesToRead(known, wanted.span, wanted.window);
    if (places.length === 0) return known;
    const read = await Promise.all(places.map((place) => readNode(wanted, place, how)));
    // Both ends may lie in one node. Higher ones come first: they have the others as children.
    const nodes = new Map(read.map((node) => [`${node?.level} ${node?.first}`, node]));
    for (const node of [...nodes.values()].sort((a, b) => (b?.level ?? 0) - (a?.level ?? 0))) {
      known = known && withNode(known, node);
    }
    if (!known) return undefined;
  }
}

function withBlocks(layout: Layout, indices: number[], blocks: (Block | undefined)[]): Layout | undefined {
  let known: Layout | undefined = layout;
  for (const [nth, index] of indices.entries()) known = known && withBlock(known, index, blocks[nth]);
  return known;
}

/** Every so many of the rows that have no fences, with the rows before it. */
function everyNth(newest: { ulid: string }[], layout: Layout): CountedKey[] {
  const keys: CountedKey[] = [];
  for (let at = 0; at < newest.length; at += sizesIn(layout.head).fence) {
    keys.push({ key: newest[at]!.ulid, rowsBefore: rowsOf(layout) + at });
  }
  return keys;
}

const later = (a: string, b: string) => (a > b ? a : b);
const earlier = (a: string, b: string) => (a < b ? a : b);
