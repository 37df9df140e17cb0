import type { Item } from '../table/client.ts';
import { type KeyRange, tableDefinition } from '../table/keys.ts';
import type { CountedKey } from './blocks.ts';
import { readRecords, type UlidSpan } from './record-lists.ts';

export type CountedRange = {
  total: number;
  /** Ascending keys around the page. Each has the number of the range's rows before the key. */
  keys: CountedKey[];
  ranges: KeyRange[];
  shards: number;
};

/** A page of a report: up to `size` rows, after the first `offset` rows of the range. */
export type PageWindow = { offset: number; size: number };

/** Consecutive rows between two keys, read with one query in each key range (`ranges`). */
type Stretch = UlidSpan & { rowsBefore: number; rows: number };

// The number of rows to read per query. Even rows of 4.7 KB (the largest) fit into DynamoDB's 1 MB per query.
const rowsPerQuery = 192;

/** Maximum rows of a stretch: one query per shard reads it, even if a shard has twice the average number. */
export const rowsPerStretch = (shards: number): number => rowsPerQuery * Math.max(1, shards / 2);

/**
 * Returns a page's rows, oldest first. Rows before the key `settled` need no consistent reads, which cost
 * twice as much.
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
 * Splits the rows `from` to `to` into stretches between counted keys. One query per shard can read a stretch, unless
 * adjacent keys are too far apart.
 */
function stretchesOf(keys: CountedKey[], from: number, to: number, shards = 1): Stretch[] {
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
  ranges: KeyRange[],
  stretch: Stretch,
  fields: string[],
  settled: string,
): Promise<Item[]> {
  // Reads new rows with strong consistency, except from the index `byTime`, which supports only eventual consistency.
  const consistent = stretch.below > settled && !ranges.some(({ inIndex }) => inIndex);
  const options = { consistent, fields: [...fields, sortBy], limit: stretch.rows };
  const rows = merged(await Promise.all(ranges.map((range) => readRecords(range, stretch, options))));
  return rows.slice(0, stretch.rows);
}

const sortBy = tableDefinition.byTime.sortKey;

function merged(lists: Item[][]): Item[] {
  if (lists.length === 1) return lists[0]!;
  return lists.flat().sort((a, b) => (String(a[sortBy]) < String(b[sortBy]) ? -1 : 1));
}
