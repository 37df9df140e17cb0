import { sha256 } from '../ids.ts';
import { allShards, bucketOf, shardCount, shardOf } from '../shards.ts';
import { type EntryType, entryTypes, type RecordKind } from '../vocabulary.ts';

/** The names of the key attributes, the index `byTime` and the TTL attribute. */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  byTime: { name: 'byTime', partitionKey: 'tpk', sortKey: 'tsk' },
  ttl: 'ttl',
} as const;

/** The names of all key attributes of the table and of the index `byTime`. */
export const keyFields: ReadonlySet<string> = new Set([
  tableDefinition.partitionKey,
  tableDefinition.sortKey,
  tableDefinition.byTime.partitionKey,
  tableDefinition.byTime.sortKey,
]);

/** Makes DynamoDB delete the item some time after `epochMs` (epoch milliseconds). */
export const ttlAt = (epochMs: number) => ({ [tableDefinition.ttl]: Math.ceil(epochMs / 1000) });

export type Key = { pk: string; sk: string };
export type TimeKey = {
  [name in typeof tableDefinition.byTime.partitionKey | typeof tableDefinition.byTime.sortKey]: string;
};
export const timeKey = (partition: string, sort: string): TimeKey => ({
  [tableDefinition.byTime.partitionKey]: partition,
  [tableDefinition.byTime.sortKey]: sort,
});
export const timeSortKey = (item: TimeKey): string => item[tableDefinition.byTime.sortKey];

export function withoutTimeKey<T extends Partial<TimeKey>>(item: T): Omit<T, keyof TimeKey> {
  const { partitionKey, sortKey } = tableDefinition.byTime;
  const { [partitionKey]: _partition, [sortKey]: _sort, ...rest } = item;
  return rest as Omit<T, keyof TimeKey>;
}

export function withoutKeys<T extends object>(item: T): Omit<T, keyof Key | keyof TimeKey> {
  const { pk, sk, ...rest } = withoutTimeKey(item as T & Key & TimeKey);
  return rest as unknown as Omit<T, keyof Key | keyof TimeKey>;
}

/** Consecutive sort keys in one partition. A position is a sort key without the prefix of the range. */
export type KeyRange = {
  /** Whether the range is in the index `byTime` instead of the table itself. */
  inIndex?: boolean;
  partition: string;
  /** The prefix that all sort keys in the range share; may be empty. */
  prefix: string;
  /** The first and the last position, both inclusive. If absent, the range has all items with the prefix. */
  between?: [first: string, last: string];
};
/** A range in the table itself. Pages cannot continue from a position in the index, which is no primary key. */
export type TableRange = KeyRange & { inIndex?: never };

/** Removes `org_` or `usr_` from ids in keys, to save space: frequent items store their keys up to four times. */
export const shortId = (id: string): string => id.replace(/^(org|usr)_/, '');

export const indexRange = (partition: string): KeyRange => ({ inIndex: true, partition, prefix: '' });
/** Returns the part of a range from position `first` to `last`, both inclusive, or to the end of the range. */
export const between = (range: KeyRange, first: string, last = maxPosition): KeyRange => ({
  ...range,
  between: [first, last],
});
// This character sorts after all characters of ids and dates, and therefore after every position in a range.
const maxPosition = '~';

/** The scope of an idempotency key: requests in different scopes can use the same key. */
export type IdempotencyScope = 'tickets' | 'entries' | 'spins' | 'adjustments';

/** A list of records in the table. Reports show all except `orders` and `claims`. */
export type RecordList = Exclude<RecordKind, 'entries'> | `entries#${EntryType}` | 'orders' | 'claims';
export const recordLists: readonly RecordList[] = [
  'tickets',
  'outcomes',
  ...entryTypes.map((type) => `entries#${type}` as const),
  'claims',
];

export const sortKeyPrefixes = {
  tickets: 'TICKETS#',
  entries: 'ENTRIES#',
  'entries#truck': 'ENTRIES#truck#',
  'entries#flight': 'ENTRIES#flight#',
  outcomes: 'OUTCOMES#',
  orders: 'ORDERS#',
  claims: 'CLAIMS#',
} as const satisfies Record<RecordKind | RecordList, string>;

export const organizationKey = (organizationId: string): Key => ({ pk: `ORG#${organizationId}`, sk: 'ORG' });
export const settingsKey = (organizationId: string, shard: number): Key => ({
  pk: `ORG#${organizationId}#${shard}`,
  sk: 'SETTINGS',
});

export const organizationTimeKey = (organizationId: string): TimeKey =>
  timeKey(organizationsPartition, organizationId);
/**
 * Returns the range of all organizations, oldest first. Requests must not read this range, because it grows without
 * limit.
 */
export const organizationsRange = (): KeyRange => indexRange(organizationsPartition);
const organizationsPartition = 'organizations';

export const actionKey = (organizationId: string, ulid: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `${actionsPrefix}${ulid}`,
});
export const actionsOf = (organizationId: string): KeyRange => ({
  partition: `ORG#${organizationId}`,
  prefix: actionsPrefix,
});
export const actionsPrefix = 'ACTIONS#';

export const prizeTableKey = (organizationId: string, game: string, version: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `GAME#${game}#${version}`,
});

/** Returns the key of the page settings, in their own partition so that page views do not slow spins. */
export const pageKey = (organizationId: string): Key => ({ pk: `PAGE#${organizationId}`, sk: 'PAGE' });

export const apiKeyKey = (keyId: string): Key => ({
  pk: `KEY#${keyId}`,
  sk: 'KEY',
});
export const apiKeyTimeKey = (organizationId: string, keyId: string): TimeKey =>
  timeKey(keysPartition(organizationId), keyId);
export const apiKeysOf = (organizationId: string): KeyRange => indexRange(keysPartition(organizationId));
const keysPartition = (organizationId: string) => `${shortId(organizationId)}#keys`;

/** `part` is 0 for cash, and the number of a shard for stock. */
export const budgetKey = (
  organizationId: string,
  budget: `cash#${string}` | `stock#${string}`,
  part: number,
): Key => ({
  pk: `BUDGET#${organizationId}#${budget}#${part}`,
  sk: 'BUDGET',
});

export const payoutsKey = (organizationId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: 'PAYOUTS',
});

const userPartition = (organizationId: string, userId: string) =>
  `USER#${shortId(organizationId)}#${shortId(userId)}`;

export const userKey = (organizationId: string, userId: string): Key => ({
  pk: userPartition(organizationId, userId),
  sk: 'USER',
});

export const referenceKey = (organizationId: string, reference: string): Key => ({
  pk: `REF#${organizationId}#${reference}`,
  sk: 'REF',
});

/** `ulid` is the record's id without its prefix. */
export const recordKey = (organizationId: string, userId: string, list: RecordList, ulid: string): Key => ({
  pk: userPartition(organizationId, userId),
  sk: sortKeyPrefixes[list] + ulid,
});
export const recordsOfUser = (
  organizationId: string,
  userId: string,
  list: RecordList | RecordKind,
): TableRange => ({
  partition: userPartition(organizationId, userId),
  prefix: sortKeyPrefixes[list],
});
export const recordTimeKey = (
  organizationId: string,
  userId: string,
  list: RecordList,
  ulid: string,
): TimeKey => timeKey(recordsPartition(organizationId, list, shardOf(userId)), ulid);
/** Returns the ranges of records in the index `byTime`, one per shard, oldest first. */
export const recordsInShards = (organizationId: string, list: RecordList): KeyRange[] =>
  allShards.map((shard) => indexRange(recordsPartition(organizationId, list, shard)));
// One partition key per shard spreads the writes. One per day would not, because all writes go to the current day.
const recordsPartition = (organizationId: string, list: RecordList, shard: number) =>
  `${shortId(organizationId)}#${list}#${shard}`;
export const actionTimeKey = (organizationId: string, ulid: string): TimeKey =>
  timeKey(actionsPartition(organizationId), ulid);
/** Returns the range of an organization's action records in the index `byTime`, oldest first. */
export const actionsByTime = (organizationId: string): KeyRange =>
  indexRange(actionsPartition(organizationId));
const actionsPartition = (organizationId: string) => `${shortId(organizationId)}#actions`;

/** Returns the key of a milestone, which maps the number of a user's 64th, 128th, … record to its ULID. */
export const milestoneKey = (
  organizationId: string,
  userId: string,
  list: RecordList | RecordKind,
  number: number,
): Key => ({
  pk: userPartition(organizationId, userId),
  sk: milestonePrefix(list) + milestonePosition(number),
});
/** Returns the range of a user's milestones between two record numbers, both inclusive. */
export const milestonesOfUser = (
  organizationId: string,
  userId: string,
  list: RecordList | RecordKind,
  [from, to]: [number, number],
): KeyRange => ({
  partition: userPartition(organizationId, userId),
  prefix: milestonePrefix(list),
  between: [milestonePosition(from), milestonePosition(to)],
});
const milestonePrefix = (list: RecordList | RecordKind) => `NTH#${list}#`;
const milestonePosition = (number: number) => String(number).padStart(16, '0');

/** Hashes the idempotency key, because 255 characters can exceed a sort key's limit. */
export const idempotencyItemKey = (
  organizationId: string,
  userId: string,
  resource: IdempotencyScope,
  idempotencyKey: string,
): Key => ({
  pk: userPartition(organizationId, userId),
  sk: `${idempotencyPrefix}${resource}#${sha256(idempotencyKey)}`,
});
/** A position (see `KeyRange`) is the key's scope and hash. */
export const idempotencyItemsOf = (organizationId: string, userId: string): KeyRange => ({
  partition: userPartition(organizationId, userId),
  prefix: idempotencyPrefix,
});
const idempotencyPrefix = 'IDEM#';

export const dueItemKey = (organizationId: string, userId: string, dueDay: string, ulid: string): Key => ({
  pk: duePartition(organizationId, bucketOf(userId, shardCount * dueKeysPerShard)),
  sk: `${dueDay}#${ulid}`,
});
export const dueItemsInShard = (organizationId: string, shard: number, untilDay: string): KeyRange[] =>
  Array.from({ length: dueKeysPerShard }, (_, number) => {
    const partition = duePartition(organizationId, shard + number * shardCount);
    return between({ partition, prefix: '' }, '0', `${untilDay}${maxPosition}`);
  });
/** Two, because each update of a due item takes two of a partition key's 1,000 write units per second. */
const dueKeysPerShard = 2;
const duePartition = (organizationId: string, number: number) => `DUE#${organizationId}#${number}`;

export const playKey = (tokenHash: string): Key => ({
  pk: `PLAY#${tokenHash}`,
  sk: 'PLAY',
});
