/** Records of a user's history. Each is written once and never changed. */

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

/** Fields of every record. */
type Common = Key &
  TimeKey & {
    organization_id: string;
    user_id: string;
    date_created: string;
    /** Number of the record in the user's history, from 1. */
    sequence: number;
    /** Number of the record among the user's records of its kind, from 1. */
    number: number;
    /** Hash of the record's content and the previous record's hash. */
    hash: string;
  };

/** Fields of a change of a balance. Amounts are whole numbers, negative for a debit. */
type Transaction = {
  transaction_id: string;
  amount: number;
  balance_after: number;
  description: string;
  idempotency_key?: string | undefined;
  /**
   * Keyed digest of the description and idempotency key. The hash covers the digest instead of these texts,
   * so that they can be erased.
   */
  texts?: string;
  outcome_id?: string | undefined;
  /** For an adjustment: the record of the operator's action. */
  operation_id?: string | undefined;
  /** Instant (ISO). */
  result_effective_date: string;
};

/** Fields of records that hosts receive events about. */
type WithEvents = Common & {
  /** Number among the user's records with events, from 1. The events carry this number as `sequence`. */
  event_sequence: number;
};

export type TicketRecord = WithEvents & Transaction & { kind: 'tickets' };

export type EntryRecord = WithEvents &
  Transaction & {
    kind: 'entries';
    entry_type: EntryType;
    /** Number of the record among the user's records of its entry type, from 1. */
    number_of_type: number;
  };

type DrawStock = {
  grants: number;
  out?: string[] | undefined;
  /** Serial number of the stocked prize that was won, in total and on the day, from 1. */
  number?: number | undefined;
  number_of_day?: number | undefined;
};

/** Budgets before a draw, as recorded in its outcome. */
export type DrawBudgets = {
  /** Day in New York on which the budgets counted. Absent if it is the day of the outcome's record. */
  day?: string | undefined;
  /** The user's cash chain: number of grants, their sum, and the available limit, in whole USD. */
  cash: { grants: number; granted: number; limit: number };
  /** If the table has stock: the number of grants, and the ids of prizes out of stock, if any. */
  stock?: DrawStock | undefined;
  /** If wins are limited: the user's wins on the day, and the limit. */
  wins?: { granted: number; limit: number } | undefined;
};

export type OutcomeRecord = WithEvents & {
  kind: 'outcomes';
  id: string;
  /** Time of the spin (ISO). */
  timestamp: string;
  play_type: PlayType;
  game: Game;
  /** The API's prize object: one kind of prize and its amount. */
  prize: Record<string, number>;
  prize_id: string;
  game_status: GameStatus;
  result_effective_date: string;
  /** Tickets. */
  cost: number;
  prize_table_version: string;
  /** Day in New York whose secret the server seed is derived from. */
  secret_day: string;
  /** For a play: the hash of the URL's token. */
  token_hash?: string | undefined;
  /** For a free spin: its order's id, and the order's number in the user's history. */
  order_id?: string | undefined;
  order_sequence?: number | undefined;
  /** For a queued spin: the beacon's round that was mixed in, or `beacon_out` if there was none. */
  beacon_round?: number | undefined;
  beacon_out?: true;
  client_seed: string;
  spin_index: number;
  /** Budgets before the draw. Absent for a debug jackpot, which no budget limits. */
  budgets?: DrawBudgets;
  debug?: DebugResult | undefined;
};

/** An order of free spins, as promised to the host. The order's due item counts the remaining spins. */
export type OrderRecord = Common & {
  kind: 'orders';
  order_id: string;
  num_of_spins: number;
  run: 'queued' | 'at_once';
  /** Day in New York; the spins can run from its midnight on. */
  due_day: string;
  result_effective_date: string;
  /** Hash of the user's previous record. The client seed of the spins is derived from it. */
  last_hash: string;
  /** Prize table of the spins, fixed when they are ordered. */
  prize_table_version: string;
  /** Drand chain of the beacon that the spins mix in. Absent if none. */
  beacon?: string;
  idempotency_key?: string;
  texts?: string;
};

/** Returns some fields of a record. */
export function fieldsOf<R extends ChainedRecord, F extends keyof R>(
  record: R,
  fields: readonly F[],
): Pick<R, F> {
  return Object.fromEntries(fields.map((field) => [field, record[field]])) as Pick<R, F>;
}

/** A record that reports show and hosts receive events about. */
export type HistoryRecord = TicketRecord | EntryRecord | OutcomeRecord;
/** A record of a user's hash chain. */
export type ChainedRecord = HistoryRecord | OrderRecord;
type Kind = ChainedRecord['kind'];
/** Kinds of records in a user's hash chain. */
export const chainedKinds: readonly Kind[] = [...recordKinds, 'orders'];
/** The record type of a kind. */
export type RecordOf<K extends Kind> = Extract<ChainedRecord, { kind: K }>;

type GeneratedFields = keyof WithEvents | 'transaction_id' | 'number_of_type' | 'id' | 'timestamp' | 'texts';
type RecordFields<R> = R extends OrderRecord
  ? Omit<R, GeneratedFields | 'order_id' | 'last_hash'>
  : R extends ChainedRecord
    ? Omit<R, GeneratedFields>
    : never;
/** A new record without the fields that `append` generates. */
export type NewRecord = RecordFields<ChainedRecord>;

/** Returns the list that a record is stored in: its kind, with the entry type for entries. */
export const listOf = (record: ChainedRecord | NewRecord): RecordList =>
  record.kind === 'entries' ? `entries#${record.entry_type}` : record.kind;

/** Public id fields of a record, by kind. */
const idsOf = {
  tickets: (ulid: string) => ({ transaction_id: idOf('txn', ulid) }),
  entries: (ulid: string) => ({ transaction_id: idOf('txn', ulid) }),
  outcomes: (ulid: string) => ({ id: idOf('out', ulid), timestamp: isoOf(timeOfUlid(ulid)) }),
  orders: (ulid: string) => ({ order_id: idOf('ord', ulid) }),
} as const satisfies Record<Kind, unknown>;

/**
 * Appends a record to a user's history. Returns the changed user and the record, with its id, sequence number
 * and hash. The hash covers the previous record's hash, so that a changed or missing record is detected. The
 * record's time is `now`, or later if the user's last record is ahead. Pure: the same inputs give the same
 * id.
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

/** Returns the number of a user's records with events: all except orders of free spins. */
const eventSequenceOf = (counts: NonNullable<User['counts']>): number =>
  recordKinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);

/**
 * Returns the time of a user's next record in epoch milliseconds: `now`, or the last record's time if that is
 * later.
 */
export const timeOfNext = ({ last_ulid }: User, now: number): number =>
  Math.max(now, last_ulid === undefined ? 0 : timeOfUlid(last_ulid));

/**
 * Every 64th record of a kind is a milestone: an item that maps its number to its ULID, so that reports can
 * find a record by number.
 */
export const milestoneEvery = 64;

/**
 * Returns the milestone items to write with a record: one for its kind and, for entries, one for its entry
 * type.
 */
export function milestonesOf(record: ChainedRecord): Item[] {
  const { organization_id, user_id, kind, number } = record;
  // Reports do not show orders.
  if (kind === 'orders') return [];
  const ulid = timeSortKey(record);
  const numbers: [RecordKind | RecordList, number][] = [[kind, number]];
  if (record.kind === 'entries') numbers.push([listOf(record), record.number_of_type]);
  return numbers
    .filter(([, count]) => count % milestoneEvery === 0)
    .map(([of, count]) => ({ ...milestoneKey(organization_id, user_id, of, count), ulid }));
}

/**
 * Returns the hash of a record: SHA-256 over the previous record's hash and the record's content without
 * keys. Texts of the host's request can be personal data; the hash covers only a digest of them, so that they
 * can be erased.
 */
export function chainHash(previous: string, record: object): string {
  const { hash, ...fields } = withoutKeys(record as Item);
  const content = fields.texts === undefined ? fields : withoutTexts(fields);
  return sha256(`${previous}\n${canonicalJson(content)}`);
}

/** Returns a record without erasable texts: those of a host's request, or an operator's reason. */
export function withoutTexts<R extends Item>(record: R): Omit<R, keyof Texts> {
  const { description, idempotency_key, why, ...rest } = record;
  return idempotency_key === undefined && record.texts === undefined ? record : rest;
}

/**
 * Returns a keyed digest of texts. Without the user's key, not even short texts can be guessed from the
 * digest.
 */
export function digestOfTexts({ text_key }: User, { description, idempotency_key, why }: Texts): string {
  // The key exists: only erasing the user deletes it, and an erased user gets no records.
  return createHmac('sha256', text_key!)
    .update(canonicalJson({ description, idempotency_key, why }))
    .digest('base64url');
}
type Texts = { description?: unknown; idempotency_key?: unknown; why?: unknown };
