/** Reads a page of rows by their positions in a range. */

import type { Item } from '../table/client.ts';
import { definition, type Range } from '../table/keys.ts';
import type { CountedKey } from './blocks.ts';
import { readRecords, type UlidSpan } from './record-lists.ts';

/** The number of rows in a range of a report, and the keys from which the requested page can be read. */
export type CountedRange = {
  /** The total number of rows in the range. */
  total: number;
  /**
   * Keys in ascending order, from which the page can be read: the beginning and end of the range, and keys in
   * and next to the page. Each key has the number of the range's rows before it.
   */
  keys: CountedKey[];
  /** The key ranges that contain the rows, one for each list and shard. */
  ranges: Range[];
  /** The number of shards that each list is spread over. */
  shards: number;
};

/** A page of a report: `size` rows, starting with the row at position `offset` of the range. */
export type PageWindow = { offset: number; size: number };

/** The rows between two keys. One query per list and shard reads them. */
export type Stretch = UlidSpan & { rowsBefore: number; rows: number };

// The number of rows to read per query. Even rows of the largest size (4.7 KB) then fit into the 1 MB that a
// query returns at most.
const rowsPerQuery = 192;

/**
 * Returns the maximum number of rows in a stretch. One query per shard then reads the whole stretch, even if
 * one shard has twice as many of the rows as an average shard.
 */
export const rowsPerStretch = (shards: number): number => rowsPerQuery * Math.max(1, shards / 2);

/**
 * Returns the rows of a page with the given fields, oldest first. Reads rows before the key `settled` with
 * eventually consistent reads, which cost half. Runs all queries in parallel, as one round trip.
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
 * Splits the rows from position `from` to position `to` into stretches between keys. Each stretch fits into
 * one query per shard, if there are enough keys. The first stretch starts at the last key at or before
 * `from`.
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
  // Uses strongly consistent reads for rows that an eventually consistent read may miss, because they are
  // new. Reads from `byTime` are always eventually consistent, because it is a global secondary index.
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
