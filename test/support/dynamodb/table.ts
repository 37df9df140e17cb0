import { createDueList } from '../../../infra/develop/local/aws/due.ts';
import type { Random } from '../random.ts';
import type { Key } from './keys.ts';
import { createRows, type Place, type Rows } from './sorted-rows.ts';
import { createIndex, type Indexed, type IndexRow, removeRow, rowsOf, type Version } from './table-index.ts';

/** An item's current version, and the former versions that eventually consistent reads may still return. */
export type Row = Place & {
  key: Key;
  current: Version | undefined;
  /**
   * Former versions. An eventually consistent read may return a former version until `until`, in epoch
   * milliseconds.
   */
  past: { version: Version | undefined; until: number }[];
  indexed: Indexed;
};

/** The items of the table, including the old versions that lagging replicas still have. */
export type Table = {
  /** Returns the current version of an item, or undefined if the item does not exist. */
  find(key: Key): Version | undefined;
  /** Returns a partition's rows in order. Rows of deleted items remain while reads may return old versions. */
  rows(partition: string): Rows<Row>;
  /** Returns the rows of an index partition in order. */
  indexRows(partition: string): Rows<IndexRow>;
  /** Returns a random version that an eventually consistent read of the row may get. */
  stale(row: Row): Version | undefined;
  /** Returns a random version that an eventually consistent read of the item may get. */
  findStale(key: Key): Version | undefined;
  /** Stores a new version of an item, or deletes the item. */
  write(key: Key, version: Version | undefined): void;
  versions(): Iterable<Version>;
};

/** Delays until eventually consistent reads and the index show a write. */
export type Lags = {
  /** Returns the milliseconds after a write in which eventually consistent reads may return the old version. */
  replicaLag?: () => number;
  /** Returns the delay in milliseconds until a write appears in the index. Called for each write. */
  indexLag?: () => number;
};

/** Creates an empty table. Without lags, every read returns the result of all earlier writes. */
export function createTable(clock: { now(): number }, random: Random, { replicaLag, indexLag }: Lags): Table {
  const partitions = new Map<string, Rows<Row>>();
  const index = createIndex(clock, indexLag ?? (() => 0));
  const removeGone = goneRows(clock, partitions);
  const rowOf = ({ pk, sk }: Key) => partitions.get(pk)?.at({ sort: sk, tie: '' });
  const makeRow = (key: Key): Row => {
    const indexed = { row: undefined, at: 0 };
    const row: Row = { key, sort: key.sk, tie: '', current: undefined, past: [], indexed };
    rowsOf(partitions, key.pk).put(row);
    return row;
  };
  const stale = (row: Row) => {
    const past = row.past.filter(({ until }) => until > clock.now());
    if (past.length === 0) return row.current;
    const choice = random.below(past.length + 1);
    return choice === past.length ? row.current : past[choice]!.version;
  };
  return {
    find: (key) => rowOf(key)?.current,
    rows: (partition) => partitions.get(partition) ?? createRows(),
    indexRows: index.rows,
    stale,
    findStale(key) {
      const row = rowOf(key);
      return row && stale(row);
    },
    write(key, version) {
      const row = rowOf(key) ?? (version && makeRow(key));
      if (!row) return;
      const now = clock.now();
      if (row.past.length > 0) row.past = row.past.filter(({ until }) => until > now);
      const lag = replicaLag?.() ?? 0;
      if (lag > 0) row.past.push({ version: row.current, until: now + lag });
      row.current = version;
      index.change(row.indexed, version);
      removeGone(version ? undefined : row);
    },
    *versions() {
      for (const rows of partitions.values()) {
        for (const { current } of rows.from(() => false, true)) if (current) yield current;
      }
    },
  };
}

/** Creates a function that removes a deleted item's row once no read can return an old version. */
function goneRows(clock: { now(): number }, partitions: Map<string, Rows<Row>>) {
  const gone = createDueList<Row>();
  return (deleted: Row | undefined) => {
    const now = clock.now();
    if (deleted) {
      const { past, indexed } = deleted;
      gone.add(Math.max(now, indexed.at, ...past.map(({ until }) => until)), deleted);
    }
    while (gone.next() <= now) {
      const row = gone.take(now)!;
      const isShown = row.current || row.indexed.at > now || row.past.some(({ until }) => until > now);
      if (!isShown && partitions.get(row.key.pk)?.at(row) === row) removeRow(partitions, row.key.pk, row);
    }
  };
}
