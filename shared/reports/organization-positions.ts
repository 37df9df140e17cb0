import {
  allMergedUlids,
  boundAfter,
  countRecords,
  everyUlid,
  type UlidSpan,
} from '../accounts/record-lists.ts';
import { again, retry } from '../retry.ts';
import type { Range, RecordList } from '../table/keys.ts';
import { readBlock, readHead } from './fence-items.ts';
import {
  type Block,
  blockWithoutFences,
  defaultSizes,
  type FenceHead,
  type FenceSizes,
  isBlockOf,
  type Mark,
  markBefore,
  marksOf,
} from './fences.ts';
import { listsOf, type Report, rangesOf } from './report-lists.ts';

/** How many rows a range holds, and marks in it, at least near the page; the range begins at 0 and ends at the total. */
export type Located = { total: number; marks: Mark[]; ranges: Range[] };
/** The rows of a page: `size` of them from `offset` on, in the order of the range. */
export type Window = { offset: number; size: number };
export type Wanted = Report & {
  lists: RecordList[];
  span: UlidSpan;
  window: Window;
  /** Epoch milliseconds. */
  now: number;
  sizes?: FenceSizes | undefined;
};

/**
 * Counts an organization's rows in a range and finds the way to a page of them. Two round trips, whatever the
 * range: the head and the blocks at the ends of the range; then the rows between a fence and an end (fewer than
 * 64), the rows that no fence covers yet, and the blocks at the ends of the page. A third or fourth where so much
 * was written in the last minute that one query does not answer it.
 */
export async function locateInOrganization(wanted: Wanted): Promise<Located> {
  let consistent = false;
  const located = await retry(() => {
    const reading = locate(wanted, { consistent });
    consistent = true;
    return reading;
  });
  return located;
}

/** `again` where a sealer wrote between the reads, so that what was read does not belong together. */
async function locate(wanted: Wanted, how: { consistent: boolean }): Promise<Located | typeof again> {
  const { span } = wanted;
  const [head, fromBlock, toBlock] = await Promise.all([
    readHead(wanted, how),
    span.from > everyUlid.from ? readBlock(wanted, span.from, how) : undefined,
    span.below < everyUlid.below ? readBlock(wanted, span.below, how) : undefined,
  ]);
  const view = viewOf(wanted, head);
  const from = view.place(span.from, fromBlock);
  const to = view.place(span.below, toBlock);
  if (!from || !to) return again;
  const unsealed: UlidSpan = { from: later(span.from, boundAfter(head.last)), below: span.below };
  const [beforeFrom, beforeTo, tail, pageFits] = await Promise.all([
    countRecords(view.ranges, { from: from.key, below: earlier(span.from, view.end) }),
    countRecords(view.ranges, { from: to.key, below: earlier(span.below, view.end) }),
    marksIn({ ranges: view.ranges, span: unsealed, base: view.total, now: wanted.now }, wanted.sizes),
    view.readBlocks(from, to, wanted, how),
  ]);
  if (!pageFits) return again;
  const start = from.at + beforeFrom;
  const total = to.at + beforeTo + tail.count - start;
  const inside = [...view.marks(), ...tail.marks]
    .filter(({ key }) => key > span.from && key < span.below)
    .map(({ key, at }) => ({ key, at: at - start }));
  const marks = [{ key: span.from, at: 0 }, ...inside, { key: span.below, at: total }];
  return { total, marks, ranges: view.ranges };
}

const later = (a: string, b: string) => (a > b ? a : b);
const earlier = (a: string, b: string) => (a < b ? a : b);

/** The sealed rows of the lists that are looked at, as far as head and blocks have been read. */
function viewOf({ report, lists, sizes = defaultSizes, ...rest }: Wanted, head: FenceHead) {
  const all = listsOf(report);
  const looked = lists.map((list) => all.indexOf(list));
  const ranges = rangesOf({ ...rest, report }).filter((_, index) => looked.includes(index));
  const blocks: Block[] = head.firsts.map((_, index) => blockWithoutFences(head, index));
  const read = new Set<number>();
  const sizeOf = (index: number) => looked.reduce((size, list) => size + head.counts[list]![index]!, 0);
  const bases = [0];
  for (const index of head.firsts.keys()) bases.push(bases[index]! + sizeOf(index));
  const total = bases.at(-1)!;
  const end = boundAfter(head.last);

  const keep = (index: number, block: Block | undefined): boolean => {
    if (!isBlockOf(head, index, block)) return false;
    blocks[index] = block;
    read.add(index);
    return true;
  };
  const marksIn = (index: number) => marksOf(blocks[index]!, looked, bases[index]!, sizes);

  return {
    ranges,
    total,
    end,
    marks: () => blocks.flatMap((_, index) => marksIn(index)),
    /** The fence before an end of the range, and the mark that follows it; undefined where its block is not the head's. */
    place: (key: string, block: Block | undefined): (Mark & { most: number }) | undefined => {
      if (key >= end) return { key: end, at: total, most: total };
      const index = head.firsts.findLastIndex((first) => first <= key);
      if (index === -1) return { key, at: 0, most: 0 };
      if (key > everyUlid.from && sizeOf(index) > 0 && !keep(index, block)) return undefined;
      const mark = markBefore(marksIn(index), key)!;
      const next = marksIn(index).find(({ key: other }) => other > key);
      const most = mark.key === key ? mark.at : (next?.at ?? bases[index + 1]!);
      return { ...mark, most };
    },
    /** Reads the blocks that the page may lie in, unless they are so small that reading their rows costs no more. */
    readBlocks: async (
      from: { at: number; most: number },
      to: { most: number },
      { window, ...report }: Wanted,
      how: { consistent: boolean },
    ): Promise<boolean> => {
      const least = from.at + window.offset;
      const most = Math.min(from.most + window.offset + window.size, to.most);
      const wanted = head.firsts
        .map((_, index) => index)
        .filter((index) => bases[index + 1]! > least && bases[index]! < most)
        .filter((index) => !read.has(index) && sizeOf(index) > sizes.fence);
      const found = await Promise.all(
        wanted.map(async (index) => keep(index, await readBlock(report, head.firsts[index]!, how))),
      );
      return found.every(Boolean);
    },
  };
}

type Tail = { ranges: Range[]; span: UlidSpan; base: number; now: number };

/** Counts rows that no fence covers, and marks every 64th of them on the way. */
async function marksIn({ ranges, span, base, now }: Tail, { fence } = defaultSizes) {
  const rows = await allMergedUlids(ranges, span, now);
  const marks: Mark[] = [];
  for (let at = 0; at < rows.length; at += fence) marks.push({ key: rows[at]!.ulid, at: base + at });
  return { count: rows.length, marks };
}
