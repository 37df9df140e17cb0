import { createDueList } from '../../../infra/develop/local/aws/due.ts';
import type { Random } from '../random.ts';
import type { Key } from './keys.ts';
import { createRows, type Place, type Rows } from './rows.ts';
import { createIndex, type Indexed, type IndexRow, removeRow, rowsOf, type Version } from './table-index.ts';

/** The place of an item in its partition, with all of its versions that some read may still see. */
export type Row = Place & {
  key: Key;
  current: Version | undefined;
  /** What a copy may still show, each up to a time. */
  past: { version: Version | undefined; until: number }[];
  indexed: Indexed;
};

/** The items, and the copies of them that lag behind. */
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

/** How far behind reads are. */
export type Lags = {
  /** How far behind a read that need not be consistent may be, in milliseconds; drawn for each write. */
  replicaLag?: () => number;
  /** How far behind the index is, in milliseconds; drawn for each write. */
  indexLag?: () => number;
};

/** Makes an empty table. */
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

/** Removes the rows of deleted items once nothing shows them any more, among them one deleted now. */
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
