import { awsError } from '../../../infra/develop/local/aws/error.ts';
import { unpackItem } from '../../../shared/table/codec.ts';
import type { Commit, StoredItem } from '../../world/journal.ts';
import type { Random } from '../random.ts';
import type { Key } from './keys.ts';
import type { Stream } from './stream.ts';
import type { Table } from './table.ts';
import { indexPlaceOf, type Version } from './table-index.ts';
import { type Kind, type Throughput, writeUnits } from './throughput.ts';
import { validation } from './validation.ts';
import { toPlain } from './values.ts';

/** The state of the simulated table, shared by all operations. */
export type Database = {
  tableName: string;
  clock: { now(): number };
  random: Random;
  table: Table;
  stream: Stream;
  throughput: Throughput;
  onCommit: ((changes: Commit['changes']) => void) | undefined;
};

/** A change of one item. `before` and `after` are the same version if the write only checks a condition. */
export type Change = { key: Key; before: Version | undefined; after: Version | undefined };

/** Applies changes to the table and the stream. `byTtl` marks deletions of expired items. */
export function commit(all: Change[], { table, stream, random, onCommit }: Database, byTtl = false): void {
  const changes = all.filter(({ before, after }) => before !== after);
  if (changes.length === 0) return;
  for (const { key, after } of changes) table.write(key, after);
  // AWS guarantees no order in the stream for the items of a transaction, so the order is random.
  const left = [...changes];
  while (left.length > 0) {
    const [change] = left.splice(left.length === 1 ? 0 : random.below(left.length), 1);
    stream.append({ ...change!, byTtl });
  }
  onCommit?.(changes.map(plainChange));
}

/**
 * Returns a change with plain JavaScript items. Converts each item on first access, because most items are never read.
 */
function plainChange({ key, before, after }: Change): Commit['changes'][number] {
  return {
    key,
    get before() {
      return before && plainOf(before);
    },
    get after() {
      return after && plainOf(after);
    },
  };
}

const plains = new WeakMap<Version, StoredItem>();

/** Returns a version's item as the service's table client returns it: with plain JavaScript values. */
export function plainOf(version: Version): StoredItem {
  const known = plains.get(version);
  if (known) return known;
  const plain = unpackItem(toPlain(version.item)) as StoredItem;
  plains.set(version, plain);
  return plain;
}

/** Returns the write units that a change consumes in each affected partition of the table and of the index. */
export function unitsOf({ key, before, after }: Change): { kind: Kind; partition: string; units: number }[] {
  const bytes = Math.max(before?.size ?? 0, after?.size ?? 0);
  const units: ReturnType<typeof unitsOf> = [
    { kind: 'TableWrite', partition: key.pk, units: writeUnits(bytes) },
  ];
  if (before === after) return units;
  const [old, fresh] = [before && indexPlaceOf(before), after && indexPlaceOf(after)];
  if (old && (old.partition !== fresh?.partition || old.sort !== fresh.sort)) {
    units.push({ kind: 'IndexWrite', partition: old.partition, units: writeUnits(before!.size) });
  }
  if (fresh) units.push({ kind: 'IndexWrite', partition: fresh.partition, units: writeUnits(after!.size) });
  return units;
}

/** Throws if a request has other fields than `fields`, or the name of another table. */
export function checkFields(input: object, fields: Set<string>, { tableName }: Database): void {
  for (const name in input) {
    if (!fields.has(name)) throw validation(`${name} is not served here`);
  }
  if (fields.has('TableName')) checkTable((input as { TableName?: unknown }).TableName, tableName);
}

export function checkTable(name: unknown, tableName: string): void {
  if (name === tableName) return;
  if (name === undefined) throw validation('TableName must not be null');
  throw awsError('ResourceNotFoundException', 'Cannot do operations on a non-existent table');
}

/** Parses a space-separated list of field names. */
export const fieldSet = (names: string): Set<string> => new Set(names.split(' '));
