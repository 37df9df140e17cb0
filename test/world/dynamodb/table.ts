/** The items, the copies of them that lag behind, and the index. */
import { createDueList } from '../../../infra/local/aws/due.ts';
import { definition } from '../../../shared/table/keys.ts';
import type { Random } from '../random.ts';
import type { Key } from './keys.ts';
import { createRows, type Place, type Rows } from './rows.ts';
import type { Item } from './values.ts';

/** An item as it was stored at one time. */
export type Version = { item: Item; size: number };

/** The place of an item in its partition, with all of its versions that some read may still see. */
export type Row = Place & {
  key: Key;
  current: Version | undefined;
  /** What a copy may still show, each up to a time. */
  past: { version: Version | undefined; until: number }[];
  indexed: IndexRow | undefined;
  /** When the index has all that was written so far. */
  indexedAt: number;
};
/** An item in the index. */
export type IndexRow = Place & { partition: string; version: Version };

export type Table = {
  /** The version of an item that is in force. */
  find(key: Key): Version | undefined;
  /** The rows of a partition, in their order; some may have no current version. */
  rows(partition: string): Rows<Row>;
  /** The rows of a partition of the index, as far as it has come. */
  indexRows(partition: string): Rows<IndexRow>;
  /** What a read that need not be consistent sees of a row. */
  stale(row: Row): Version | undefined;
  /** What a read that need not be consistent sees of an item. */
  findStale(key: Key): Version | undefined;
  /** Puts a version in force, or none. */
  write(key: Key, version: Version | undefined): void;
  /** All items in force. */
  versions(): Iterable<Version>;
};

/** How far reads lag behind, in milliseconds; drawn for each write. */
export type Lags = { replicaLag?: (() => number) | undefined; indexLag?: (() => number) | undefined };

const { byTime } = definition;

/** Where an item is in the index; undefined if it has no key there. */
export function indexPlaceOf({ item }: Version): (Place & { partition: string }) | undefined {
  const partition = item[byTime.partitionKey]?.S;
  const sort = item[byTime.sortKey]?.S;
  if (partition === undefined || sort === undefined) return undefined;
  return { partition, sort, tie: `${item[definition.partitionKey]!.S}\0${item[definition.sortKey]!.S}` };
}

/** Makes an empty table. */
export function createTable(clock: { now(): number }, random: Random, { replicaLag, indexLag }: Lags): Table {
  const partitions = new Map<string, Rows<Row>>();
  const index = new Map<string, Rows<IndexRow>>();
  const toIndex = createDueList<{ row: Row; version: Version | undefined }>();
  const gone = createDueList<Row>();

  const rowOf = ({ pk, sk }: Key) => partitions.get(pk)?.at({ sort: sk, tie: '' });
  const settle = () => {
    const now = clock.now();
    while (toIndex.next() <= now) {
      const { row, version } = toIndex.take(now)!;
      show(row, version);
    }
    while (gone.next() <= now) {
      const row = gone.take(now)!;
      const isPast = row.indexedAt <= now && row.past.every(({ until }) => until <= now);
      if (!row.current && isPast && rowOf(row.key) === row) drop(partitions, row.key.pk, row);
    }
  };
  const show = (row: Row, version: Version | undefined) => {
    const { indexed } = row;
    const place = version && indexPlaceOf(version);
    if (indexed && place && place.partition === indexed.partition && place.sort === indexed.sort) {
      indexed.version = version;
      return;
    }
    if (indexed) drop(index, indexed.partition, indexed);
    row.indexed = place && { ...place, version };
    if (row.indexed) rowsOf(index, row.indexed.partition).put(row.indexed);
  };
  const makeRow = (key: Key): Row => {
    const row = {
      key,
      sort: key.sk,
      tie: '',
      current: undefined,
      past: [],
      indexed: undefined,
      indexedAt: 0,
    };
    rowsOf(partitions, key.pk).put(row);
    return row;
  };
  const stale = (row: Row) => {
    const now = clock.now();
    const past = row.past.filter(({ until }) => until > now);
    const choice = past.length === 0 ? 0 : random.below(past.length + 1);
    return choice === past.length ? row.current : past[choice]!.version;
  };
  const lag = (row: Row, version: Version | undefined) => {
    const now = clock.now();
    row.past = row.past.filter(({ until }) => until > now);
    if (replicaLag) row.past.push({ version: row.current, until: now + replicaLag() });
    // The changes of one item come in their order.
    row.indexedAt = Math.max(row.indexedAt, now + (indexLag?.() ?? 0));
    if (row.indexedAt > now) toIndex.add(row.indexedAt, { row, version });
    else show(row, version);
    if (!version) gone.add(Math.max(row.indexedAt, ...row.past.map(({ until }) => until)), row);
  };

  return {
    find: (key) => rowOf(key)?.current,
    rows: (partition) => partitions.get(partition) ?? createRows(),
    indexRows(partition) {
      settle();
      return index.get(partition) ?? createRows();
    },
    stale,
    findStale(key) {
      const row = rowOf(key);
      return row && stale(row);
    },
    write(key, version) {
      const row = rowOf(key) ?? (version && makeRow(key));
      if (!row) return;
      lag(row, version);
      row.current = version;
      settle();
    },
    *versions() {
      for (const rows of partitions.values()) {
        for (const { current } of rows.from(() => false, true)) if (current) yield current;
      }
    },
  };
}

function rowsOf<R extends Place>(partitions: Map<string, Rows<R>>, partition: string): Rows<R> {
  const rows = partitions.get(partition) ?? createRows();
  if (rows.isEmpty()) partitions.set(partition, rows);
  return rows;
}

function drop<R extends Place>(partitions: Map<string, Rows<R>>, partition: string, row: R): void {
  const rows = partitions.get(partition)!;
  rows.remove(row);
  if (rows.isEmpty()) partitions.delete(partition);
}
