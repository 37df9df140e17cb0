/** Reads a page of rows by their positions in a range. */

import type { Item } from '../table/client.ts';
import { definition, type Range } from '../table/keys.ts';
import type { CountedKey } from './blocks.ts';
import { readRecords, type UlidSpan } from './record-lists.ts';

/** The number of a report's rows in a range of time, and the way to a page of them. */
export type CountedRange = {
  /** How many rows there are. */
  total: number;
  /**
   * Keys in ascending order, with the rows of the range that lie before each: the range's beginning, its end, and in
   * between as many as lead to the page that is asked for.
   */
  keys: CountedKey[];
  /** The ranges that the rows lie in, and over how many of them those of a list are spread. */
  ranges: Range[];
  shards: number;
};

/** The rows of a page: `size` of them from the position `offset` of the range on. */
export type PageWindow = { offset: number; size: number };

/** What one query of each list reads of a page: the rows between two keys. */
export type Stretch = UlidSpan & { rowsBefore: number; rows: number };

// Rows of 4.7 KB, the largest there are, and one query's 1 MB.
const rowsPerQuery = 192;

/** The rows that a query of each shard returns. Each has a share of them, of which twice the usual one still fits. */
export const rowsPerStretch = (shards: number): number => rowsPerQuery * Math.max(1, shards / 2);

/**
 * The rows of a page, oldest first, with some fields; those before the bound `settled` may be read for half the price.
 * All queries run side by side: one round trip.
 */
export async function readRows(
  { total, keys, ranges, shards }: CountedRange,
  window: PageWindow,
  fields: string[],
  settled: string,
) {
  const { offset, size } = window;
  const stretches = stretchesOf(keys, offset, Math.min(offset + size, total), shards);
  const read = await Promise.all(stretches.map((stretch) => readStretch(ranges, stretch, fields, settled)));
  const skip = offset - (stretches[0]?.rowsBefore ?? offset);
  return read.flat().slice(skip, skip + size);
}

/**
 * Cuts the rows from the last key at or before position `from` up to position `to` at some of the keys, so that no
 * stretch has more rows than its queries return, as far as the keys allow.
 */
export function stretchesOf(keys: CountedKey[], from: number, to: number, shards = 1): Stretch[] {
  if (from >= to) return [];
  const stretches: Stretch[] = [];
  let index = keys.findLastIndex(({ rowsBefore }) => rowsBefore <= from);
  while (index < keys.length - 1 && keys[index]!.rowsBefore < to) {
    const { key, rowsBefore } = keys[index]!;
    const fits = (at: number) =>
      at < keys.length && keys[at]!.rowsBefore - rowsBefore <= rowsPerStretch(shards);
    let next = index + 1;
    while (keys[next]!.rowsBefore < to && fits(next + 1)) next++;
    const end = keys[next]!;
    stretches.push({
      from: key,
      below: end.key,
      rowsBefore,
      rows: Math.min(end.rowsBefore, to) - rowsBefore,
    });
    index = next;
  }
  return stretches;
}

async function readStretch(
  ranges: Range[],
  stretch: Stretch,
  fields: string[],
  settled: string,
): Promise<Item[]> {
  // A user's newest rows may be missing from a read that costs half, one here and one there; an index knows no other.
  const consistent = stretch.below > settled && !ranges.some(({ inIndex }) => inIndex);
  const options = { limit: stretch.rows, fields: [...fields, sortBy], consistent };
  const rows = merged(await Promise.all(ranges.map((range) => readRecords(range, stretch, options))));
  return rows.slice(0, stretch.rows);
}

const sortBy = definition.byTime.sortKey;

function merged(lists: Item[][]): Item[] {
  if (lists.length === 1) return lists[0]!;
  return lists.flat().sort((a, b) => (String(a[sortBy]) < String(b[sortBy]) ? -1 : 1));
}
