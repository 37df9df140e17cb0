/**
 * The definition of the table, used by CDK and the local stage, and builders for its keys and key ranges.
 * Keys of an organization's items contain its id. Items found without an organization, such as API keys and
 * play URLs, contain the id as a field.
 */
import { sha256 } from '../ids.ts';
import { allShards, bucketOf, shardCount, shardOf } from '../shards.ts';
import { type EntryType, entryTypes, type RecordKind } from '../vocabulary.ts';

/** The names of the table's key attributes, its index and its TTL attribute. */
export const definition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  byTime: { name: 'byTime', partitionKey: 'tpk', sortKey: 'tsk' },
  ttl: 'ttl',
} as const;

/** The names of all key attributes, of the table and its index. */
export const keyFields: ReadonlySet<string> = new Set([
  definition.partitionKey,
  definition.sortKey,
  definition.byTime.partitionKey,
  definition.byTime.sortKey,
]);

/**
 * Returns the TTL field, with which DynamoDB deletes an item some time after an instant (epoch milliseconds).
 */
export const ttlAt = (epochMs: number) => ({ [definition.ttl]: Math.ceil(epochMs / 1000) });

/** A primary key. */
export type Key = { pk: string; sk: string };
/** The key of an item in the index `byTime`. */
export type TimeKey = {
  [name in typeof definition.byTime.partitionKey | typeof definition.byTime.sortKey]: string;
};
const timeKey = (partition: string, sort: string): TimeKey => ({
  [definition.byTime.partitionKey]: partition,
  [definition.byTime.sortKey]: sort,
});
/** Returns an item's sort key in the index `byTime`. For records it is the ULID. */
export const timeSortKey = (item: TimeKey): string => item[definition.byTime.sortKey];

/** Returns an item without its keys. */
export function withoutKeys<T extends object>(item: T): Omit<T, keyof Key | keyof TimeKey> {
  const { partitionKey, sortKey } = definition.byTime;
  const { pk, sk, [partitionKey]: _partition, [sortKey]: _sort, ...rest } = item as T & Key & TimeKey;
  return rest as Omit<T, keyof Key | keyof TimeKey>;
}

/**
 * A range of items in one partition, in the order of their sort keys. A position in a range is a sort key
 * without the range's prefix.
 */
export type Range = {
  /** Whether the range is in the index `byTime` instead of the table. */
  inIndex?: boolean;
  partition: string;
  /** The prefix of all sort keys in the range; may be empty. */
  prefix: string;
  /** The least and the greatest position, inclusive. If absent, the range is the whole prefix. */
  between?: [least: string, greatest: string];
};
/**
 * Returns an organization's or user's id without its prefix, for the most frequent keys. A record stores each
 * byte of such a key up to four times.
 */
export const shortId = (id: string): string => id.replace(/^(org|usr)_/, '');

const indexRange = (partition: string): Range => ({ inIndex: true, partition, prefix: '' });
/** Returns the part of a range between two positions, inclusive; without `greatest`, to the end. */
export const between = (range: Range, least: string, greatest = last): Range => ({
  ...range,
  between: [least, greatest],
});
// Sorts after all characters of ids and dates.
const last = '~';

/** The scope of an idempotency key. The same key may be used once per scope. */
export type Resource = 'tickets' | 'entries' | 'spins' | 'adjustments';

/**
 * The lists of users' records, each in the order of time. Entries have one list per type. Orders are in no
 * report.
 */
export type RecordList = Exclude<RecordKind, 'entries'> | `entries#${EntryType}` | 'orders';
/** The lists whose records hosts receive events about. */
export const recordLists: readonly RecordList[] = [
  'tickets',
  'outcomes',
  ...entryTypes.map((type) => `entries#${type}` as const),
];

/** The prefixes of the sort keys of users' records. */
export const sortPrefix = {
  tickets: 'TICKETS#',
  entries: 'ENTRIES#',
  'entries#truck': 'ENTRIES#truck#',
  'entries#flight': 'ENTRIES#flight#',
  outcomes: 'OUTCOMES#',
  orders: 'ORDERS#',
} as const satisfies Record<RecordKind | RecordList, string>;

export const organizationKey = (organizationId: string): Key => ({ pk: `ORG#${organizationId}`, sk: 'ORG' });
/**
 * Returns the key of a shard's copy of an organization's settings, which requests of the shard's users read.
 */
export const settingsKey = (organizationId: string, shard: number): Key => ({
  pk: `ORG#${organizationId}#${shard}`,
  sk: 'SETTINGS',
});

export const organizationTimeKey = (organizationId: string): TimeKey =>
  timeKey(organizationsPartition, organizationId);
/**
 * Returns the range of all organizations, oldest first. For operators only, because requests must not depend
 * on the number of organizations.
 */
export const organizations = (): Range => indexRange(organizationsPartition);
const organizationsPartition = 'organizations';

/** Returns the key of an operation record. */
export const operationKey = (organizationId: string, ulid: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `${operationsPrefix}${ulid}`,
});
/** Returns the range of an organization's operation records, oldest first. */
export const operationsOf = (organizationId: string): Range => ({
  partition: `ORG#${organizationId}`,
  prefix: operationsPrefix,
});
const operationsPrefix = 'OPERATIONS#';

export const prizeTableKey = (organizationId: string, game: string, version: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `GAME#${game}#${version}`,
});

/**
 * Returns the key of an organization's play page settings. They have their own partition, so that page views
 * do not compete with spins, and no copies: 3,000 reads a second without an image, 1,000 with the largest. For
 * more, a host gives its logo by URL.
 */
export const pageKey = (organizationId: string): Key => ({ pk: `PAGE#${organizationId}`, sk: 'PAGE' });

export const apiKeyKey = (keyId: string): Key => ({
  pk: `KEY#${keyId}`,
  sk: 'KEY',
});
export const apiKeyTimeKey = (organizationId: string, keyId: string): TimeKey =>
  timeKey(keysPartition(organizationId), keyId);
/** Returns the range of an organization's API keys, oldest first. */
export const keysOf = (organizationId: string): Range => indexRange(keysPartition(organizationId));
const keysPartition = (organizationId: string) => `${shortId(organizationId)}#keys`;

/**
 * Returns the key of a budget's state. The day's cash has a state per chain. A game's stock has a copy of its
 * state per shard.
 */
export const budgetKey = (
  organizationId: string,
  budget: `cash#${string}` | `stock#${string}`,
  part: number,
): Key => ({
  pk: `BUDGET#${organizationId}#${budget}#${part}`,
  sk: 'BUDGET',
});

/** Returns the key of the results of an organization's payout checks. */
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

/** Returns the range of all items in a user's partition. */
export const itemsOfUser = (organizationId: string, userId: string): Range => ({
  partition: userPartition(organizationId, userId),
  prefix: '',
});

export const referenceKey = (organizationId: string, reference: string): Key => ({
  pk: `REF#${organizationId}#${reference}`,
  sk: 'REF',
});

/** Returns the key of a record. The ULID is the record's id without its prefix. */
export const recordKey = (organizationId: string, userId: string, list: RecordList, ulid: string): Key => ({
  pk: userPartition(organizationId, userId),
  sk: sortPrefix[list] + ulid,
});
/**
 * Returns the range of a user's records of a list, oldest first. A position is a ULID. For all `entries`, the
 * order is by type, then by time.
 */
export const recordsOfUser = (
  organizationId: string,
  userId: string,
  list: RecordList | RecordKind,
): Range => ({
  partition: userPartition(organizationId, userId),
  prefix: sortPrefix[list],
});
/** Returns the index key of a user's record, in the user's shard. */
export const recordTimeKey = (
  organizationId: string,
  userId: string,
  list: RecordList,
  ulid: string,
): TimeKey => timeKey(recordsPartition(organizationId, list, shardOf(userId)), ulid);
/**
 * Returns the index ranges of an organization's records of a list: one per shard, oldest first. A position is
 * a ULID. Partitions are not split by day: all current writes would still go to one day, and a page would
 * have to read each day of its range.
 */
export const recordsInShards = (organizationId: string, list: RecordList): Range[] =>
  allShards.map((shard) => indexRange(recordsPartition(organizationId, list, shard)));
const recordsPartition = (organizationId: string, list: RecordList, shard: number) =>
  `${shortId(organizationId)}#${list}#${shard}`;
/** Returns the index key of an operation record. */
export const operationTimeKey = (organizationId: string, ulid: string): TimeKey =>
  timeKey(operationsPartition(organizationId), ulid);
/** Returns the index range of an organization's operation records, oldest first. */
export const operationsByTime = (organizationId: string): Range =>
  indexRange(operationsPartition(organizationId));
const operationsPartition = (organizationId: string) => `${shortId(organizationId)}#operations`;

/**
 * Returns the key of a milestone: the ULID of a user's record, stored under the record's number for every
 * 64th record.
 */
export const milestoneKey = (
  organizationId: string,
  userId: string,
  of: RecordList | RecordKind,
  number: number,
): Key => ({
  pk: userPartition(organizationId, userId),
  sk: milestonePrefix(of) + milestonePosition(number),
});
/**
 * Returns the range of a user's milestones between two numbers, inclusive. A position is a number padded with
 * zeros.
 */
export const milestonesOfUser = (
  organizationId: string,
  userId: string,
  of: RecordList | RecordKind,
  [from, to]: [number, number],
): Range => ({
  partition: userPartition(organizationId, userId),
  prefix: milestonePrefix(of),
  between: [milestonePosition(from), milestonePosition(to)],
});
const milestonePrefix = (of: RecordList | RecordKind) => `NTH#${of}#`;
const milestonePosition = (number: number) => String(number).padStart(16, '0');

/**
 * Returns the key of a used idempotency key. It is hashed, because 255 characters of four bytes exceed the
 * limit of a sort key.
 */
export const idempotencyItemKey = (
  organizationId: string,
  userId: string,
  resource: Resource,
  idempotencyKey: string,
): Key => ({
  pk: userPartition(organizationId, userId),
  sk: `${idempotencyPrefix}${resource}#${sha256(idempotencyKey)}`,
});
/** Returns the range of a user's used idempotency keys. A position is a resource and the hash of a key. */
export const idempotencyItemsOf = (organizationId: string, userId: string): Range => ({
  partition: userPartition(organizationId, userId),
  prefix: idempotencyPrefix,
});
const idempotencyPrefix = 'IDEM#';

/**
 * Returns the key of a due item, which has the number of an order's remaining spins and is deleted with the
 * last one.
 */
export const dueKey = (organizationId: string, userId: string, dueDay: string, ulid: string): Key => ({
  pk: duePartition(organizationId, bucketOf(userId, shardCount * dueKeysPerShard)),
  sk: `${dueDay}#${ulid}`,
});
/**
 * Returns the ranges of a shard's due items up to and including a day, by day: one for each of the shard's
 * keys. A position is a day and an order's ULID.
 */
export const dueInShard = (organizationId: string, shard: number, untilDay: string): Range[] =>
  Array.from({ length: dueKeysPerShard }, (_, number) => {
    const partition = duePartition(organizationId, shard + number * shardCount);
    return between({ partition, prefix: '' }, '0', `${untilDay}${last}`);
  });
/** A transactional write of a due item costs two write units, so each shard has two keys for due items. */
const dueKeysPerShard = 2;
const duePartition = (organizationId: string, number: number) => `DUE#${organizationId}#${number}`;

/** Returns the key of a beacon round's result, which all organizations share. */
export const beaconRoundKey = (chain: string, round: number): Key => ({
  pk: `BEACON#${chain}#${round}`,
  sk: 'BEACON',
});

export const playKey = (tokenHash: string): Key => ({
  pk: `PLAY#${tokenHash}`,
  sk: 'PLAY',
});
