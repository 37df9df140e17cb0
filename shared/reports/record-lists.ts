import { timeOfUlid, ulidTimePart } from '../ids.ts';
import type { Item } from '../table/client.ts';
import { between, type KeyRange } from '../table/keys.ts';
import { mergeRanges } from '../table/merged.ts';
import {
  countItems,
  itemsPerQuery,
  positionOf,
  queryOnce,
  type ReadOptions,
  readRange,
  sortKeyOf,
} from '../table/ranges.ts';

/** A part of a list, from the key `from` (inclusive) to the key `below` (exclusive). */
export type UlidSpan = { from: string; below: string };

/** The span of all ULIDs, whose first digit is 0 to 7. */
export const everyUlid: UlidSpan = { from: '0', below: '8' };

export const boundAfter = (ulid: string) => (ulid === '' ? everyUlid.from : `${ulid}1`);

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** DynamoDB's `BETWEEN` includes both ends, but a span excludes its end. */
function justBelow(bound: string): string {
  const significant = bound.replace(/0+$/, '');
  const digit = digits[digits.indexOf(significant.at(-1) ?? '') - 1] ?? '';
  return `${significant.slice(0, -1)}${digit}~`;
}

/** Returns whether a span cannot contain any ULID. No ULID sorts before a bound that has only zeros. */
const isEmpty = ({ from, below }: UlidSpan) => /^0*$/.test(below) || from > justBelow(below);

const partOf = (list: KeyRange, { from, below }: UlidSpan): KeyRange => between(list, from, justBelow(below));

export async function readRecords(
  list: KeyRange,
  span: UlidSpan,
  options: ReadOptions & { limit?: number } = {},
): Promise<Item[]> {
  return isEmpty(span) ? [] : readRange(partOf(list, span), options);
}

export async function countRecords(lists: KeyRange[], span: UlidSpan): Promise<number> {
  if (isEmpty(span)) return 0;
  const counts = await Promise.all(lists.map((list) => countItems(partOf(list, span))));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Yields the ULIDs of several lists in batches, merged in ascending order. Memory use does not grow with the rows. */
export async function* readMergedUlids(lists: KeyRange[], span: UlidSpan): AsyncGenerator<string[]> {
  if (isEmpty(span)) return;
  // Uses the first list's sort key for all lists, because all lists are in the index `byTime` or all are in one
  // partition.
  const fields = lists.slice(0, 1).map(sortKeyOf);
  const spans = lists.map((list) => partOf(list, span));
  for await (const { items } of mergeRanges(spans, { fields })) yield items.map(({ position }) => position);
}

export async function readAllUlids(lists: KeyRange[], span: UlidSpan, now: number): Promise<string[]> {
  if (isEmpty(span)) return [];
  const read = await Promise.all(lists.map((list) => ulidsInParallel(list, span, now)));
  return read.length > 1 ? read.flat().sort() : read[0]!;
}

async function ulidsInParallel(list: KeyRange, span: UlidSpan, now: number): Promise<string[]> {
  const first = { fields: [sortKeyOf(list)], limit: itemsPerQuery };
  const { items, end } = await queryOnce(partOf(list, span), first);
  const found = items.map((item) => positionOf(list, item));
  if (!end) return found;
  const rest = stretchesAfter(found, span, now).map(async (stretch) => {
    const ulids: string[] = [];
    for await (const batch of readMergedUlids([list], stretch)) ulids.push(...batch);
    return ulids;
  });
  return [found, ...(await Promise.all(rest))].flat();
}

const maxParallelReads = 32;

/** Splits the time after the given ULIDs into stretches, each probably short enough for one query. */
function stretchesAfter(ulids: string[], { below }: UlidSpan, now: number): UlidSpan[] {
  const last = ulids.at(-1)!;
  const [start, end] = [timeOfUlid(ulids[0]!), timeOfUlid(last)];
  const step = Math.ceil(Math.max(1, (end - start) / 2, (now - end) / maxParallelReads));
  const stretches: UlidSpan[] = [];
  let from = boundAfter(last);
  for (let at = end + step; at < now && ulidTimePart(at) < below; at += step) {
    stretches.push({ from, below: ulidTimePart(at) });
    from = ulidTimePart(at);
  }
  return [...stretches, { from, below }];
}
