/**
 * Records of a user's history. A record is never changed after it was written, except that the user's erasure
 * empties the record's description and idempotency key.
 */

import { createHmac } from 'node:crypto';
import { canonicalJson, idOf, sha256, timeOfUlid, ulidAfter } from '../ids.ts';
import type { Item } from '../table/client.ts';
import {
  type Key,
  milestoneKey,
  type RecordList,
  recordKey,
  recordTimeKey,
  type TimeKey,
  timeSortKey,
  withoutKeys,
} from '../table/keys.ts';
import { isoOf } from '../time.ts';
import {
  type DebugResult,
  type EntryType,
  type Game,
  type GameStatus,
  type PlayType,
  type RecordKind,
  recordKinds,
} from '../vocabulary.ts';
import type { User } from './user.ts';

/** Fields that every record has. */
type Common = Key &
  TimeKey & {
    organization_id: string;
    user_id: string;
    date_created: string;
    /** Position of the record in the user's history, counted from 1. */
    sequence: number;
    /** Position of the record among the user's records of the same kind, counted from 1. */
    number: number;
    /** Hash of the record's content together with the previous record's hash. */
    hash: string;
  };

/**
 * Fields of a record of a balance change. `amount` is a whole number of tickets or entries, negative for a
 * debit.
 */
type Transaction = {
  transaction_id: string;
  amount: number;
  balance_after: number;
  description: string;
  idempotency_key?: string | undefined;
  /**
   * Keyed digest (HMAC) of the description and the idempotency key. The record's hash covers this digest
   * instead of the two texts, so that the texts can be erased.
   */
  texts?: string;
  outcome_id?: string | undefined;
  /** For an operator's adjustment: the id of the operator action's record. */
  operation_id?: string | undefined;
  /** Effective date of the change, as an ISO instant. */
  result_effective_date: string;
};

/** Fields of records about which hosts receive events. */
type WithEvents = Common & {
  /**
   * Position of the record among the user's records that have events, counted from 1. Events contain this
   * number as `sequence`.
   */
  event_sequence: number;
};

export type TicketRecord = WithEvents & Transaction & { kind: 'tickets' };

export type EntryRecord = WithEvents &
  Transaction & {
    kind: 'entries';
    entry_type: EntryType;
    /** Position of the record among the user's records of the same entry type, counted from 1. */
    number_of_type: number;
  };

type DrawStock = {
  grants: number;
  out?: string[] | undefined;
  /**
   * Serial numbers of the item won in this draw, if the prize's stock is limited: the item is the `number`th
   * ever won of this prize, and the `number_of_day`th won on the day.
   */
  number?: number | undefined;
  number_of_day?: number | undefined;
};

/** State of the budgets before a draw, as stored in the outcome's record. */
export type DrawBudgets = {
  /**
   * Day (New York) whose budgets applied to the draw. Absent if it is the same day as that of the outcome's
   * record.
   */
  day?: string | undefined;
  /**
   * State of the user's cash chain: a group of users who share a part of the day's cash. `grants` is the
   * number and `granted` the total value of the cash prizes that the group had won on this day before the
   * draw. `limit` is the group's limit at the time of the draw: the limit for the whole day, or the part of
   * it that was available by then if the limit grows hour by hour. `granted` and `limit` are in whole USD.
   */
  cash: { grants: number; granted: number; limit: number };
  /**
   * State of the game's stock before the draw. Absent if no prize of the prize table has a limited stock.
   * `grants` is the number of items with limited stock ever won in this game. `out` lists the ids of the
   * prizes that were out of stock.
   */
  stock?: DrawStock | undefined;
  /**
   * `granted` is the user's number of wins on the day before the draw, and `limit` the maximum per day.
   * Absent if the user's wins are not limited.
   */
  wins?: { granted: number; limit: number } | undefined;
};

export type OutcomeRecord = WithEvents & {
  kind: 'outcomes';
  id: string;
  /** Time of the spin as an ISO instant. */
  timestamp: string;
  play_type: PlayType;
  game: Game;
  /**
   * The prize as the API shows it: an object whose only key is the kind of prize, with the amount as value.
   */
  prize: Record<string, number>;
  prize_id: string;
  game_status: GameStatus;
  result_effective_date: string;
  /** Cost of the play in tickets. */
  cost: number;
  prize_table_version: string;
  /** Day (New York) from whose secret the server seed is derived. */
  secret_day: string;
  /** For a regular play: the hash of the token in its play URL. */
  token_hash?: string | undefined;
  /**
   * For a free spin: the id of its order (`order_id`), and the order record's `sequence` in the user's
   * history (`order_sequence`).
   */
  order_id?: string | undefined;
  order_sequence?: number | undefined;
  /**
   * For a queued spin: the number of the beacon round whose randomness the client seed contains. If the
   * beacon was unavailable, `beacon_out` is true instead.
   */
  beacon_round?: number | undefined;
  beacon_out?: true;
  client_seed: string;
  spin_index: number;
  /**
   * Budgets before the draw. Absent for a debug jackpot (a test play that always wins the highest cash
   * prize), because no budget limits it.
   */
  budgets?: DrawBudgets;
  debug?: DebugResult | undefined;
};

/**
 * An order of free spins as the host requested it. This record never changes; a separate due item counts the
 * order's remaining spins.
 */
export type OrderRecord = Common & {
  kind: 'orders';
  order_id: string;
  num_of_spins: number;
  run: 'queued' | 'at_once';
  /** Day (New York) on which the spins become due, at 00:00. */
  due_day: string;
  result_effective_date: string;
  /** Hash of the user's previous record. The spins' client seed is derived from this hash. */
  last_hash: string;
  /** Version of the prize table for the spins. Fixed when the spins are ordered. */
  prize_table_version: string;
  /**
   * Beacon whose randomness the spins' client seed contains, as the hash by which drand identifies the
   * beacon. Absent if the spins use no beacon.
   */
  beacon?: string;
  idempotency_key?: string;
  texts?: string;
};

/** Returns an object with only the given fields of a record. */
export function fieldsOf<R extends ChainedRecord, F extends keyof R>(
  record: R,
  fields: readonly F[],
): Pick<R, F> {
  return Object.fromEntries(fields.map((field) => [field, record[field]])) as Pick<R, F>;
}

/** A record that appears in reports and about which hosts receive events. */
export type HistoryRecord = TicketRecord | EntryRecord | OutcomeRecord;
/** A record in a user's hash chain, in which each record's hash covers the hash of the previous record. */
export type ChainedRecord = HistoryRecord | OrderRecord;
type Kind = ChainedRecord['kind'];
export const chainedKinds: readonly Kind[] = [...recordKinds, 'orders'];
/** Type of the records of one kind. */
export type RecordOf<K extends Kind> = Extract<ChainedRecord, { kind: K }>;

type GeneratedFields = keyof WithEvents | 'transaction_id' | 'number_of_type' | 'id' | 'timestamp' | 'texts';
type RecordFields<R> = R extends OrderRecord
  ? Omit<R, GeneratedFields | 'order_id' | 'last_hash'>
  : R extends ChainedRecord
    ? Omit<R, GeneratedFields>
    : never;
/** Fields of a new record, without the fields that `append` generates. */
export type NewRecord = RecordFields<ChainedRecord>;

/**
 * Returns the name of the list in which a record is stored: the record's kind, and for entries also the entry
 * type.
 */
export const listOf = (record: ChainedRecord | NewRecord): RecordList =>
  record.kind === 'entries' ? `entries#${record.entry_type}` : record.kind;

/** For each kind of record, a function that makes the record's public id fields from the record's ULID. */
const idsOf = {
  tickets: (ulid: string) => ({ transaction_id: idOf('txn', ulid) }),
  entries: (ulid: string) => ({ transaction_id: idOf('txn', ulid) }),
  outcomes: (ulid: string) => ({ id: idOf('out', ulid), timestamp: isoOf(timeOfUlid(ulid)) }),
  orders: (ulid: string) => ({ order_id: idOf('ord', ulid) }),
} as const satisfies Record<Kind, unknown>;

/**
 * Appends a record to a user's history. Returns the changed user and the record with its id, sequence number
 * and hash. The hash covers the previous record's hash, so that a changed or removed record is detected. The
 * record's time is `now`, or the time of the user's last record if this is later. Pure: the same arguments
 * give the same record with the same id.
 */
export function append<S extends NewRecord>(user: User, fields: S, now: number) {
  const { organization_id, user_id } = user;
  const sequence = user.sequence + 1;
  const ulid = ulidAfter(user.last_ulid, now, `${organization_id}\n${user_id}\n${sequence}`);
  const list = listOf(fields);
  const counts = countsAfter(user, fields.kind, list);
  const content = {
    ...idsOf[fields.kind](ulid),
    organization_id,
    user_id,
    date_created: isoOf(timeOfUlid(ulid)),
    sequence,
    number: counts[fields.kind],
    ...(fields.kind === 'orders' ? {} : { event_sequence: eventSequenceOf(counts) }),
    ...(list === fields.kind ? {} : { number_of_type: counts[list] }),
    ...fields,
    ...(fields.kind === 'orders' ? { last_hash: user.last_hash } : {}),
    ...('idempotency_key' in fields && fields.idempotency_key ? { texts: digestOfTexts(user, fields) } : {}),
  };
  const hash = chainHash(user.last_hash, content);
  const record = {
    ...recordKey(organization_id, user_id, list, ulid),
    ...recordTimeKey(organization_id, user_id, list, ulid),
    ...content,
    hash,
  };
  const after: User = { ...user, sequence, counts, last_ulid: ulid, last_hash: hash };
  return { user: after, record: record as unknown as RecordOf<S['kind']> };
}

function countsAfter(user: User, kind: Kind, list: RecordList): NonNullable<User['counts']> {
  const counts = { ...user.counts, [kind]: (user.counts?.[kind] ?? 0) + 1 };
  return list === kind ? counts : { ...counts, [list]: (user.counts?.[list] ?? 0) + 1 };
}

/**
 * Returns the number of a user's records about which hosts receive events: all records except orders of free
 * spins.
 */
const eventSequenceOf = (counts: NonNullable<User['counts']>): number =>
  recordKinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);

/**
 * Returns the time of a user's next record in epoch milliseconds: `now`, or the time of the user's last
 * record if this is later.
 */
export const timeOfNext = ({ last_ulid }: User, now: number): number =>
  Math.max(now, last_ulid === undefined ? 0 : timeOfUlid(last_ulid));

/**
 * For every 64th of a user's records of one kind, a milestone item is stored. The item maps the record's
 * number to its ULID, so that reports can find a record by number.
 */
export const milestoneEvery = 64;

/**
 * Returns the milestone items to write with a record: one if it is a 64th record of its kind (the 64th,
 * 128th, …), and one if it is a 64th entry of its type. Most records have none.
 */
export function milestonesOf(record: ChainedRecord): Item[] {
  const { organization_id, user_id, kind, number } = record;
  // Orders need no milestones, because no report shows them.
  if (kind === 'orders') return [];
  const ulid = timeSortKey(record);
  const numbers: [RecordKind | RecordList, number][] = [[kind, number]];
  if (record.kind === 'entries') numbers.push([listOf(record), record.number_of_type]);
  return numbers
    .filter(([, count]) => count % milestoneEvery === 0)
    .map(([of, count]) => ({ ...milestoneKey(organization_id, user_id, of, count), ulid }));
}

/**
 * Returns the hash of a record: the SHA-256 of the previous record's hash and the record's content without
 * its table keys. Texts from hosts and operators can be personal data. The hash therefore covers only a
 * digest of the texts, so that they can be erased.
 */
export function chainHash(previous: string, record: object): string {
  const { hash, ...fields } = withoutKeys(record as Item);
  const content = fields.texts === undefined ? fields : withoutTexts(fields);
  return sha256(`${previous}\n${canonicalJson(content)}`);
}

/**
 * Returns a record without its erasable texts: the description and idempotency key from a host, or an
 * operator's reason.
 */
export function withoutTexts<R extends Item>(record: R): Omit<R, keyof Texts> {
  const { description, idempotency_key, why, ...rest } = record;
  return idempotency_key === undefined && record.texts === undefined ? record : rest;
}

/**
 * Returns the HMAC of a record's texts with the user's secret key (`text_key`). Without this key, nobody can
 * find out short texts by computing the digests of likely texts.
 */
export function digestOfTexts({ text_key }: User, { description, idempotency_key, why }: Texts): string {
  // The user has a text key here: only the user's erasure deletes the key, and an erased user gets no new
  // records.
  return createHmac('sha256', text_key!)
    .update(canonicalJson({ description, idempotency_key, why }))
    .digest('base64url');
}
type Texts = { description?: unknown; idempotency_key?: unknown; why?: unknown };
