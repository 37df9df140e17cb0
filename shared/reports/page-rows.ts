/** Reads a page of rows by their positions in a range. */

import type { Item } from '../table/client.ts';
import { definition, type Range } from '../table/keys.ts';
import type { CountedKey } from './blocks.ts';
import { readRecords, type UlidSpan } from './record-lists.ts';

/** The number of a report's rows in a time range, and the keys around a page of them. */
export type CountedRange = {
  /** The number of rows in the range. */
  total: number;
  /**
   * Keys in ascending order, each with the number of rows in the range before it: the beginning and end of
   * the range, and keys around the page.
   */
  keys: CountedKey[];
  /** The key ranges that contain the rows, and the number of shards that each list is spread over. */
  ranges: Range[];
  shards: number;
};

/** A page: `size` rows from position `offset` of the range. */
export type PageWindow = { offset: number; size: number };

/** The rows between two keys, which one query per list reads. */
export type Stretch = UlidSpan & { rowsBefore: number; rows: number };

// The largest rows have 4.7 KB, and a query returns at most 1 MB.
const rowsPerQuery = 192;

/**
 * Returns how many rows may be read by one query per shard. Leaves room for a shard with twice its usual
 * share.
 */
export const rowsPerStretch = (shards: number): number => rowsPerQuery * Math.max(1, shards / 2);

/**
 * Returns the rows of a page, oldest first, with the given fields. Rows before the key `settled` may be read
 * with eventual consistency at half the price. All queries run in parallel: one round trip.
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
 * Splits the rows between two positions at counted keys, so that each stretch fits into one query per shard
 * where the keys allow. Starts at the last key at or before `from`.
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
  // An eventually consistent read may miss a user's newest rows. The index supports no other reads.
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
