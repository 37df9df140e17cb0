import { createDueList } from '../../../infra/develop/local/aws/due.ts';
import { tableDefinition } from '../../../shared/table/keys.ts';
import { createRows, type Place, type Rows } from './sorted-rows.ts';
import type { Item } from './values.ts';

export type Version = { item: Item; size: number };
export type IndexRow = Place & { partition: string; version: Version };
/** An item's row in the index. The item's last change appears in the index at the time `at`, in epoch milliseconds. */
export type Indexed = { row: IndexRow | undefined; at: number };

/** The global secondary index. A change is visible in the index after a lag. */
export type Index = {
  rows(partition: string): Rows<IndexRow>;
  /** Applies a new version or a deletion to the index after the lag. Changes of one item stay in order. */
  change(of: Indexed, version: Version | undefined): void;
};

const { partitionKey, sortKey, byTime } = tableDefinition;

/** Returns the position of an item in the index, or undefined if the item has no complete index key. */
export function indexPlaceOf({ item }: Version): (Place & { partition: string }) | undefined {
  const partition = item[byTime.partitionKey]?.S;
  const sort = item[byTime.sortKey]?.S;
  if (partition === undefined || sort === undefined) return undefined;
  return { partition, sort, tie: `${item[partitionKey]!.S}\0${item[sortKey]!.S}` };
}

/** Creates an empty index. `lag` returns the lag of the next change in milliseconds. */
export function createIndex(clock: { now(): number }, lag: () => number): Index {
  const partitions = new Map<string, Rows<IndexRow>>();
  const due = createDueList<{ of: Indexed; version: Version | undefined }>();
  const show = (of: Indexed, version: Version | undefined) => {
    const { row } = of;
    const place = version && indexPlaceOf(version);
    if (row && place && place.partition === row.partition && place.sort === row.sort) {
      row.version = version;
      return;
    }
    if (row) removeRow(partitions, row.partition, row);
    of.row = place && { ...place, version };
    if (of.row) rowsOf(partitions, of.row.partition).put(of.row);
  };
  const settle = () => {
    const now = clock.now();
    while (due.next() <= now) {
      const { of, version } = due.take(now)!;
      show(of, version);
    }
  };
  return {
    rows(partition) {
      settle();
      return partitions.get(partition) ?? createRows();
    },
    change(of, version) {
      settle();
      const now = clock.now();
      of.at = Math.max(of.at, now + lag());
      if (of.at > now) due.add(of.at, { of, version });
      else show(of, version);
    },
  };
}

/** Returns the rows of a partition. Creates the partition if it does not exist. */
export function rowsOf<Row extends Place>(partitions: Map<string, Rows<Row>>, partition: string): Rows<Row> {
  const rows = partitions.get(partition) ?? createRows();
  partitions.set(partition, rows);
  return rows;
}

/** Removes a row from its partition. Also removes the partition if no rows remain. */
export function removeRow<Row extends Place>(
  partitions: Map<string, Rows<Row>>,
  partition: string,
  row: Row,
): void {
  const rows = partitions.get(partition);
  rows?.remove(row);
  if (rows?.isEmpty()) partitions.delete(partition);
}
