import { createDueList } from '../../../infra/develop/local/aws/due.ts';
import { definition } from '../../../shared/table/keys.ts';
import { createRows, type Place, type Rows } from './rows.ts';
import type { Item } from './values.ts';

/** An item as it was stored at one time. */
export type Version = { item: Item; size: number };
/** An item in the index. */
export type IndexRow = Place & { partition: string; version: Version };
/** What the index has of an item, and when it has all that was written so far. */
export type Indexed = { row: IndexRow | undefined; at: number };

/** The index: the items that have a key in it, each some time after it was written. */
export type Index = {
  /** The rows of a partition, as far as the index has come. */
  rows(partition: string): Rows<IndexRow>;
  /** Takes over a new version of an item, or that there is none, after the lag; those of one item in their order. */
  change(of: Indexed, version: Version | undefined): void;
};

const { partitionKey, sortKey, byTime } = definition;

/** Where an item is in the index; undefined if it has no key there. */
export function indexPlaceOf({ item }: Version): (Place & { partition: string }) | undefined {
  const partition = item[byTime.partitionKey]?.S;
  const sort = item[byTime.sortKey]?.S;
  if (partition === undefined || sort === undefined) return undefined;
  return { partition, sort, tie: `${item[partitionKey]!.S}\0${item[sortKey]!.S}` };
}

/** Makes an empty index. */
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

/** The rows of a partition, to put one more there. */
export function rowsOf<Row extends Place>(partitions: Map<string, Rows<Row>>, partition: string): Rows<Row> {
  const rows = partitions.get(partition) ?? createRows();
  partitions.set(partition, rows);
  return rows;
}

/** Takes a row out of its partition. */
export function removeRow<Row extends Place>(
  partitions: Map<string, Rows<Row>>,
  partition: string,
  row: Row,
): void {
  const rows = partitions.get(partition);
  rows?.remove(row);
  if (rows?.isEmpty()) partitions.delete(partition);
}
