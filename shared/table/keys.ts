/**
 * The one table: its definition, from which CDK and the local stage make it, and a builder for every key and
 * for every range of keys that is read at once; those of row indexes and of books stand beside. What an
 * organization holds is keyed with the organization first; what is found without one (an API key, a play URL)
 * holds its organization.
 */
import { sha256 } from '../ids.ts';
import { allShards, bucketOf, shardCount, shardOf } from '../shards.ts';
import { type EntryType, entryTypes, type RecordKind } from '../vocabulary.ts';

/** Names of the table's key attributes, its index and its TTL. */
export const definition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  byTime: { name: 'byTime', partitionKey: 'tpk', sortKey: 'tsk' },
  ttl: 'ttl',
} as const;

/** The names of all attributes that are part of a key, of the table or of its index. */
export const keyFields: ReadonlySet<string> = new Set([
  definition.partitionKey,
  definition.sortKey,
  definition.byTime.partitionKey,
  definition.byTime.sortKey,
]);

/** The field that lets DynamoDB delete an item some time after an instant (epoch milliseconds). */
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
/** The sort key of an item in the index `byTime`; of a record it is the ULID. */
export const timeSortKey = (item: TimeKey): string => item[definition.byTime.sortKey];

/** What an item says, without the keys under which it is stored. */
export function withoutKeys<T extends object>(item: T): Omit<T, keyof Key | keyof TimeKey> {
  const { partitionKey, sortKey } = definition.byTime;
  const { pk, sk, [partitionKey]: _partition, [sortKey]: _sort, ...rest } = item as T & Key & TimeKey;
  return rest as Omit<T, keyof Key | keyof TimeKey>;
}

/**
 * Items of one partition that are read in the order of their sort keys. A position in a range is what follows the
 * prefix in a sort key.
 */
export type Range = {
  /** Whether it is a range of the index `byTime`, and not of the table. */
  inIndex?: boolean;
  partition: string;
  /** What all sort keys of the range begin with; every sort key begins with the empty text. */
  prefix: string;
  /** The least and the greatest position of the range, both included; all if absent. */
  between?: [least: string, greatest: string];
};
/**
 * An organization's id, or a user's, in the keys of what there is most of: without its prefix. Each byte of
 * such a key is stored up to four times for a record.
 */
export const shortId = (id: string): string => id.replace(/^(org|usr)_/, '');

const indexRange = (partition: string): Range => ({ inIndex: true, partition, prefix: '' });
/** The part of a range from one position to another, both included; to the end if only the first is given. */
export const between = (range: Range, least: string, greatest = last): Range => ({
  ...range,
  between: [least, greatest],
});
// Sorts after every character of an id and of a date.
const last = '~';

/** What an idempotency key is for: the same key may be used once for each. */
export type Resource = 'tickets' | 'entries' | 'spins' | 'adjustments';

/**
 * The lists in which users' records are kept, each sorted by time: one of each kind, for entries one of each
 * type, and those of orders of free spins, which no report shows.
 */
export type RecordList = Exclude<RecordKind, 'entries'> | `entries#${EntryType}` | 'orders';
/** The lists that hosts are told of. */
export const recordLists: readonly RecordList[] = [
  'tickets',
  'outcomes',
  ...entryTypes.map((type) => `entries#${type}` as const),
];

/** Prefixes of the sort keys of users' records. */
export const sortPrefix = {
  tickets: 'TICKETS#',
  entries: 'ENTRIES#',
  'entries#truck': 'ENTRIES#truck#',
  'entries#flight': 'ENTRIES#flight#',
  outcomes: 'OUTCOMES#',
  orders: 'ORDERS#',
} as const satisfies Record<RecordKind | RecordList, string>;

export const organizationKey = (organizationId: string): Key => ({ pk: `ORG#${organizationId}`, sk: 'ORG' });
/** The copy of an organization's settings in a shard: the requests of the shard's users read this one. */
export const settingsKey = (organizationId: string, shard: number): Key => ({
  pk: `ORG#${organizationId}#${shard}`,
  sk: 'SETTINGS',
});

export const organizationTimeKey = (organizationId: string): TimeKey =>
  timeKey(organizationsPartition, organizationId);
/** All organizations, oldest first: for an operator's question, and for no request. */
export const organizations = (): Range => indexRange(organizationsPartition);
const organizationsPartition = 'organizations';

/** The record of what an operator did to an organization. */
export const operationKey = (organizationId: string, ulid: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `${operationsPrefix}${ulid}`,
});
/** The records of all that operators did to an organization, oldest first, as they are now. */
export const operationsOf = (organizationId: string): Range => ({
  partition: `ORG#${organizationId}`,
  prefix: operationsPrefix,
});
const operationsPrefix = 'OPERATIONS#';

export const prizeTableKey = (organizationId: string, game: string, version: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `GAME#${game}#${version}`,
});

/** What an organization has set about its play page: beside its own partition, which spins read. */
export const pageKey = (organizationId: string): Key => ({ pk: `PAGE#${organizationId}`, sk: 'PAGE' });

export const apiKeyKey = (keyId: string): Key => ({
  pk: `KEY#${keyId}`,
  sk: 'KEY',
});
export const apiKeyTimeKey = (organizationId: string, keyId: string): TimeKey =>
  timeKey(keysPartition(organizationId), keyId);
/** An organization's API keys, oldest first. */
export const keysOf = (organizationId: string): Range => indexRange(keysPartition(organizationId));
const keysPartition = (organizationId: string) => `${shortId(organizationId)}#keys`;

/**
 * The state of a budget: of a day's cash for each chain, of the stock of a game for each shard (all shards
 * have the same state).
 */
export const budgetKey = (
  organizationId: string,
  budget: `cash#${string}` | `stock#${string}`,
  part: number,
): Key => ({
  pk: `BUDGET#${organizationId}#${budget}#${part}`,
  sk: 'BUDGET',
});

/** What the checks of an organization's payouts have come to. */
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

/** All that is kept of a user under its id, of whatever kind. */
export const itemsOfUser = (organizationId: string, userId: string): Range => ({
  partition: userPartition(organizationId, userId),
  prefix: '',
});

export const referenceKey = (organizationId: string, reference: string): Key => ({
  pk: `REF#${organizationId}#${reference}`,
  sk: 'REF',
});

/** A record in its user's partition; the ULID is the record's id without its prefix. */
export const recordKey = (organizationId: string, userId: string, list: RecordList, ulid: string): Key => ({
  pk: userPartition(organizationId, userId),
  sk: sortPrefix[list] + ulid,
});
/** A user's records of a list, oldest first; a position is a ULID. Of `entries` as a whole: by type, then by time. */
export const recordsOfUser = (
  organizationId: string,
  userId: string,
  list: RecordList | RecordKind,
): Range => ({
  partition: userPartition(organizationId, userId),
  prefix: sortPrefix[list],
});
/** A record of a user in the index, in the shard of the user. */
export const recordTimeKey = (
  organizationId: string,
  userId: string,
  list: RecordList,
  ulid: string,
): TimeKey => timeKey(recordsPartition(organizationId, list, shardOf(userId)), ulid);
/**
 * An organization's records of a list: a range for each shard, oldest first; a position is a ULID. The
 * partition has no day in it: all writes of a moment would meet in one day's partition anyway, and a page
 * would have to read every day of its range.
 */
export const recordsInShards = (organizationId: string, list: RecordList): Range[] =>
  allShards.map((shard) => indexRange(recordsPartition(organizationId, list, shard)));
const recordsPartition = (organizationId: string, list: RecordList, shard: number) =>
  `${shortId(organizationId)}#${list}#${shard}`;
/** The record of an operation in the index. */
export const operationTimeKey = (organizationId: string, ulid: string): TimeKey =>
  timeKey(operationsPartition(organizationId), ulid);
/** The records of all that operators did to an organization, oldest first, as the index shows them. */
export const operationsByTime = (organizationId: string): Range =>
  indexRange(operationsPartition(organizationId));
const operationsPartition = (organizationId: string) => `${shortId(organizationId)}#operations`;

/** Every so many records of a user, the ULID of one is noted under its number, so that it is found by it. */
export const milestoneKey = (
  organizationId: string,
  userId: string,
  of: RecordList | RecordKind,
  number: number,
): Key => ({
  pk: userPartition(organizationId, userId),
  sk: milestonePrefix(of) + milestonePosition(number),
});
/** A user's milestones from one number to another, both included; a position is a number with zeros before it. */
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

/** The key is hashed: 255 characters of four bytes each would not fit a sort key. */
export const idempotencyItemKey = (
  organizationId: string,
  userId: string,
  resource: Resource,
  idempotencyKey: string,
): Key => ({
  pk: userPartition(organizationId, userId),
  sk: `${idempotencyPrefix}${resource}#${sha256(idempotencyKey)}`,
});
/** What a user's idempotency keys came to; a position is a resource and the hash of a key. */
export const idempotencyItemsOf = (organizationId: string, userId: string): Range => ({
  partition: userPartition(organizationId, userId),
  prefix: idempotencyPrefix,
});
const idempotencyPrefix = 'IDEM#';

/** How many spins of an order remain to run; there only while some do. */
export const dueKey = (organizationId: string, userId: string, dueDay: string, ulid: string): Key => ({
  pk: duePartition(organizationId, bucketOf(userId, shardCount * dueKeysPerShard)),
  sk: `${dueDay}#${ulid}`,
});
/**
 * An organization's due items of a shard of users, of a day and of those before it, by day: a range for each of the
 * shard's keys. A position is a day and an order's ULID.
 */
export const dueInShard = (organizationId: string, shard: number, untilDay: string): Range[] =>
  Array.from({ length: dueKeysPerShard }, (_, number) => {
    const partition = duePartition(organizationId, shard + number * shardCount);
    return between({ partition, prefix: '' }, '0', `${untilDay}${last}`);
  });
/** A write in a transaction takes two units of the table, and one of the index: so a shard has two keys here. */
const dueKeysPerShard = 2;
const duePartition = (organizationId: string, number: number) => `DUE#${organizationId}#${number}`;

/** What a round of a beacon came to: of no organization, since it is the same for all. */
export const beaconRoundKey = (chain: string, round: number): Key => ({
  pk: `BEACON#${chain}#${round}`,
  sk: 'BEACON',
});

export const playKey = (tokenHash: string): Key => ({
  pk: `PLAY#${tokenHash}`,
  sk: 'PLAY',
});
