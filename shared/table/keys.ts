/**
 * The one table: its definition, from which CDK and the local stage make it, and a builder for every key.
 * Nobody writes a key by hand, and every builder that holds a customer's data starts from the organization.
 */
import { sha256 } from '../ids.ts';

/** Names of the table's key attributes, its index and its TTL. */
export const definition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  byTime: { name: 'byTime', partitionKey: 'byTimePk', sortKey: 'byTimeSk' },
  ttl: 'ttl',
} as const;

/** A primary key. */
export type Key = { pk: string; sk: string };
/** The place of an item in the index `byTime`. */
export type TimeKey = { byTimePk: string; byTimeSk: string };

/** The three kinds of records that a user's history is made of, each also a report. */
export type RecordKind = 'tickets' | 'entries' | 'outcomes';
/** What an idempotency key is for: the same key may be used once for each. */
export type Resource = 'tickets' | 'entries' | 'spins';

/** The lists in which records are kept, each sorted by time: one of each kind, and for entries one of each type. */
export const recordLists = ['tickets', 'outcomes', 'entries#truck', 'entries#flight'] as const;
export type RecordList = (typeof recordLists)[number];

const sortPrefix = {
  tickets: 'TICKETS#',
  entries: 'ENTRIES#',
  'entries#truck': 'ENTRIES#truck#',
  'entries#flight': 'ENTRIES#flight#',
  outcomes: 'OUTCOMES#',
} as const;

export const organizationKey = (organizationId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: 'ORG',
});

/** Lists all organizations, oldest first: for an operator, and for nobody else. */
export const organizationTimeKey = (organizationId: string): TimeKey => ({
  byTimePk: 'organizations',
  byTimeSk: organizationId,
});

export const prizeTableKey = (organizationId: string, game: string, version: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `GAME#${game}#${version}`,
});

export const apiKeyKey = (keyId: string): Key => ({
  pk: `KEY#${keyId}`,
  sk: 'KEY',
});
/** Lists an organization's API keys, oldest first. */
export const apiKeyTimeKey = (organizationId: string, keyId: string): TimeKey => ({
  byTimePk: `${organizationId}#keys`,
  byTimeSk: keyId,
});

export const webhookKey = (organizationId: string, webhookId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `${webhookPrefix}${webhookId}`,
});
export const webhookPrefix = 'WEBHOOK#';
/** What all webhooks of an organization have in common: how many there are, and the data key of their secrets. */
export const webhooksKey = (organizationId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: 'WEBHOOKS',
});
/** That a webhook was invoked by a request; its id is hashed, to fit a sort key. */
export const invocationKey = (organizationId: string, webhookId: string, requestId: string): Key => ({
  pk: `INVOKED#${organizationId}#${webhookId}`,
  sk: sha256(requestId),
});

export const cashKey = (organizationId: string, day: string): Key => ({
  pk: `CASH#${organizationId}#${day}`,
  sk: 'CASH',
});

const userPartition = (organizationId: string, userId: string) => `USER#${organizationId}#${userId}`;

export const userKey = (organizationId: string, userId: string): Key => ({
  pk: userPartition(organizationId, userId),
  sk: 'USER',
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
/** Where all records of a list of one user lie, sorted by time; of `entries` as a whole by type, then by time. */
export const recordsOfUser = (organizationId: string, userId: string, list: RecordList | RecordKind) => ({
  pk: userPartition(organizationId, userId),
  prefix: sortPrefix[list],
});
/**
 * All records of a list of one organization, sorted by time: `byTimeSk` is the record's ULID. No day is part of
 * it: all writes of a moment would meet in one day's partition key anyway, and a page would have to visit every
 * day that it spans.
 */
export const recordTimeKey = (organizationId: string, list: RecordList, ulid: string): TimeKey => ({
  byTimePk: `${organizationId}#${list}`,
  byTimeSk: ulid,
});

/** Every so many records of a user, the ULID of one is noted under its number, so that it is found by it. */
export const milestoneKey = (
  organizationId: string,
  userId: string,
  of: RecordList | RecordKind,
  number: number,
): Key => ({
  pk: userPartition(organizationId, userId),
  sk: `NTH#${of}#${String(number).padStart(16, '0')}`,
});

/** The key is hashed: 255 characters of four bytes each would not fit a sort key. */
export const idempotencyItemKey = (
  organizationId: string,
  userId: string,
  resource: Resource,
  idempotencyKey: string,
): Key => ({
  pk: userPartition(organizationId, userId),
  sk: `IDEM#${resource}#${sha256(idempotencyKey)}`,
});

export const spinOrderKey = (organizationId: string, userId: string, ulid: string): Key => ({
  pk: userPartition(organizationId, userId),
  sk: `SPINS#${ulid}`,
});
/** Only while spins remain: the orders of a shard that are still to run, those due first first. */
export const dueTimeKey = (shard: number, dueDay: string, ulid: string): TimeKey => ({
  byTimePk: dueShard(shard),
  byTimeSk: `${dueDay}#${ulid}`,
});
export const dueShard = (shard: number) => `due#${shard}`;

export const playKey = (tokenHash: string): Key => ({
  pk: `PLAY#${tokenHash}`,
  sk: 'PLAY',
});

/** The calls of one day, sorted by time and id; without an id, where the day's calls lie. */
export const webhookCallKey = (organizationId: string, day: string, ulid: string): Key => ({
  pk: `CALLS#${organizationId}#${day}`,
  sk: ulid,
});

const fencesPartition = (organizationId: string, report: RecordKind) => `FENCES#${organizationId}#${report}`;

/** What is known of a report's rows as a whole. */
export const fenceHeadKey = (organizationId: string, report: RecordKind): Key => ({
  pk: fencesPartition(organizationId, report),
  sk: 'HEAD',
});
/** The fences of one block of a report's rows, by the key at which it begins. */
export const fenceBlockKey = (organizationId: string, report: RecordKind, first: string): Key => ({
  pk: fencesPartition(organizationId, report),
  sk: `${fenceBlockPrefix}${first}`,
});
export const fenceBlockPrefix = 'BLOCK#';

/** Says that a report has rows, so that a schedule can look after the fences of all of them. */
export const knownReportKey = (organizationId: string, report: RecordKind): Key => ({
  pk: knownReportsPartition,
  sk: `${organizationId}#${report}`,
});
export const knownReportsPartition = 'REPORTS';
