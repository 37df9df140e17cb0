/**
 * Lists of records in the order of their ULIDs: an organization's lie in the index, a user's in the user's
 * partition.
 */
import { timeOfUlid, ulidFloor } from '../ids.ts';
import type { Item } from '../table/client.ts';
import { between, type Range } from '../table/keys.ts';
import {
  batches,
  countItems,
  itemsPerQuery,
  positionOf,
  query,
  type ReadOptions,
  readRange,
  sortKeyOf,
} from '../table/ranges.ts';

/** Part of a list: its ULIDs from one text on, and below another. */
export type UlidSpan = { from: string; below: string };

/** Every ULID sorts between these two. */
export const everyUlid: UlidSpan = { from: '0', below: '8' };

/** A text that sorts between a ULID and the next one; for the empty text the one at which all ULIDs begin. */
export const boundAfter = (ulid: string) => (ulid === '' ? everyUlid.from : `${ulid}1`);

/** When the rows of a time have settled. */
export const settledAfterMs = 60_000;

/**
 * The bound of the rows that have settled at a time. A row gets its time before it is written, and the index, or a read
 * that need not be consistent, shows it a moment after: rows of the last minute may still be joined by earlier ones.
 */
export const settledBefore = (now: number): string => ulidFloor(Math.max(0, now - settledAfterMs));

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The greatest text that sorts below a bound, among ULIDs: DynamoDB's BETWEEN includes both of its ends. */
function justBelow(bound: string): string {
  const significant = bound.replace(/0+$/, '');
  const digit = digits[digits.indexOf(significant.at(-1) ?? '') - 1] ?? '';
  return `${significant.slice(0, -1)}${digit}~`;
}

/** Zeros at the end of a bound change nothing: with them it only sorts later. */
const isEmpty = ({ from, below }: UlidSpan) => /^0*$/.test(below) || from > justBelow(below);

const partOf = (list: Range, { from, below }: UlidSpan): Range => between(list, from, justBelow(below));

/** The records of a part of a list: the first `limit` of them, or all. */
export async function readRecords(
  list: Range,
  span: UlidSpan,
  options: ReadOptions & { limit?: number } = {},
): Promise<Item[]> {
  return isEmpty(span) ? [] : readRange(partOf(list, span), options);
}

/** How many records parts of several lists have together. */
export async function countRecords(lists: Range[], span: UlidSpan): Promise<number> {
  if (isEmpty(span)) return 0;
  const counts = await Promise.all(lists.map((list) => countItems(partOf(list, span))));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The ULIDs of parts of several lists in one order, in batches as they are read; nothing is kept of a batch. */
export async function* mergedUlids(lists: Range[], span: UlidSpan): AsyncGenerator<string[]> {
  if (isEmpty(span)) return;
  let open = lists.map((list) => ({ next: ulidReader(list, span), unmerged: [] as string[] }));
  for (;;) {
    const exhausted = open.filter(({ unmerged }) => unmerged.length === 0);
    await Promise.all(exhausted.map(async (source) => (source.unmerged = await source.next())));
    open = open.filter(({ unmerged }) => unmerged.length > 0);
    if (open.length === 0) return;
    // Beyond the last ULID of the list that was read least far, another of that list could still come.
    const safe = open.map(({ unmerged }) => unmerged.at(-1)!).sort()[0]!;
    const batch: string[] = [];
    for (const { unmerged } of open) {
      const end = unmerged.findIndex((ulid) => ulid > safe);
      batch.push(...unmerged.splice(0, end === -1 ? unmerged.length : end));
    }
    yield open.length > 1 ? batch.sort() : batch;
  }
}

/** Reads on in a part of a list, query by query; nothing more once it returns no ULIDs. */
function ulidReader(list: Range, span: UlidSpan): () => Promise<string[]> {
  const queries = batches(partOf(list, span), { fields: [sortKeyOf(list)] });
  return async () => {
    for (;;) {
      const { value: items, done } = await queries.next();
      if (done) return [];
      if (items.length > 0) return items.map((item) => positionOf(list, item));
    }
  };
}

/**
 * All ULIDs of parts of several lists in one order, as `mergedUlids` has them. What the first query does not return is
 * read side by side, in stretches of time up to `now` that are as long as the rows of the first one suggest: one or
 * two more round trips, however many rows there are.
 */
export async function allMergedUlids(lists: Range[], span: UlidSpan, now: number): Promise<string[]> {
  if (isEmpty(span)) return [];
  const read = await Promise.all(lists.map((list) => ulidsSideBySide(list, span, now)));
  return read.length > 1 ? read.flat().sort() : read[0]!;
}

async function ulidsSideBySide(list: Range, span: UlidSpan, now: number): Promise<string[]> {
  const first = { fields: [sortKeyOf(list)], limit: itemsPerQuery };
  const { items, end } = await query(partOf(list, span), first);
  const found = items.map((item) => positionOf(list, item));
  if (!end) return found;
  const rest = stretchesAfter(found, span, now).map(async (stretch) => {
    const ulids: string[] = [];
    for await (const batch of mergedUlids([list], stretch)) ulids.push(...batch);
    return ulids;
  });
  return [found, ...(await Promise.all(rest))].flat();
}

const mostSideBySide = 32;

/** Cuts what follows rows into stretches of half the time that they took, so that each is likely to be one query. */
function stretchesAfter(ulids: string[], { below }: UlidSpan, now: number): UlidSpan[] {
  const last = ulids.at(-1)!;
  const [start, end] = [timeOfUlid(ulids[0]!), timeOfUlid(last)];
  const step = Math.ceil(Math.max(1, (end - start) / 2, (now - end) / mostSideBySide));
  const stretches: UlidSpan[] = [];
  let from = boundAfter(last);
  for (let at = end + step; at < now && ulidFloor(at) < below; at += step) {
    stretches.push({ from, below: ulidFloor(at) });
    from = ulidFloor(at);
  }
  return [...stretches, { from, below }];
}
