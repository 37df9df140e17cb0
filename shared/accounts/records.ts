/** Records: what a user's history is made of, each of them written once and never changed. */

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

/** What every record has. */
type Common = Key &
  TimeKey & {
    organization_id: string;
    user_id: string;
    date_created: string;
    /** Number of the record among all of its user. */
    sequence: number;
    /** How many records of its kind the user has up to this one. */
    number: number;
    /** Of the hash before it and all that the record says. */
    hash: string;
  };

/** What every change of a balance says; amounts are whole numbers, negative for a debit. */
type Transaction = {
  transaction_id: string;
  amount: number;
  balance_after: number;
  description: string;
  idempotency_key?: string | undefined;
  /** What stands in the hash for the texts of a host's request: these two, under a key of the user's. */
  texts?: string;
  outcome_id?: string | undefined;
  /** Of an adjustment: the record of the operator who made it. */
  operation_id?: string | undefined;
  /** Instant (ISO). */
  result_effective_date: string;
};

/** What every record that hosts are told of has. */
type Told = Common & {
  /** Number of the record among those of its user that hosts are told of: the `sequence` of its events. */
  event_sequence: number;
};

export type TicketRecord = Told & Transaction & { kind: 'tickets' };

export type EntryRecord = Told &
  Transaction & {
    kind: 'entries';
    entry_type: EntryType;
    /** How many records of its entry type the user has up to this one. */
    number_of_type: number;
  };

type DrawStock = {
  grants: number;
  out?: string[] | undefined;
  /** If the outcome won a prize of the stock: the prize's number in all, and on the day; from 1. */
  number?: number | undefined;
  number_of_day?: number | undefined;
};

/** The budgets before a draw, as its outcome says them. */
export type DrawBudgets = {
  /** The day in New York on which the request arrived; absent if it is that of the outcome's record. */
  day?: string | undefined;
  /** The user's chain of the day's cash: the number of grants, their sum, and what was available, in whole USD. */
  cash: { grants: number; granted: number; limit: number };
  /** If the table has a stock: the number of grants, and the ids of the prizes that were out of stock, if any were. */
  stock?: DrawStock | undefined;
  /** If the user's wins of a day are limited: how many there were. */
  wins?: { granted: number; limit: number } | undefined;
};

export type OutcomeRecord = Told & {
  kind: 'outcomes';
  id: string;
  /** When the spin ran (ISO). */
  timestamp: string;
  play_type: PlayType;
  game: Game;
  /** The prize object of the contract: one kind of prize, and how much of it. */
  prize: Record<string, number>;
  prize_id: string;
  game_status: GameStatus;
  result_effective_date: string;
  /** Tickets. */
  cost: number;
  prize_table_version: string;
  /** The day in New York whose secret the server seed follows from. */
  secret_day: string;
  /** Of a play: the hash of its URL's token. */
  token_hash?: string | undefined;
  /** Of a free spin: its order, and the number of that among all records of its user. */
  order_id?: string | undefined;
  order_sequence?: number | undefined;
  /** The beacon's round that was mixed in; or that the beacon was out, so that none was. */
  beacon_round?: number | undefined;
  beacon_out?: true;
  client_seed: string;
  spin_index: number;
  /** The budgets before the draw; absent for a debug jackpot, which no budget limits. */
  budgets?: DrawBudgets;
  debug?: DebugResult | undefined;
};

/** Free spins that a host asked for, as they were promised; what remains of them stands elsewhere. */
export type OrderRecord = Common & {
  kind: 'orders';
  order_id: string;
  num_of_spins: number;
  run: 'queued' | 'at_once';
  /** The day in New York from whose beginning on they may run. */
  due_day: string;
  result_effective_date: string;
  /** The hash of the user's record before it, on which the client seed of its spins depends. */
  last_hash: string;
  /** The table that its spins draw from, whenever they run. */
  prize_table_version: string;
  /** The chain of the beacon whose randomness will be mixed in; absent if none will. */
  beacon?: string;
  idempotency_key?: string;
  texts?: string;
};

/** Some fields of a record. */
export function fieldsOf<R extends ChainedRecord, F extends keyof R>(
  record: R,
  fields: readonly F[],
): Pick<R, F> {
  return Object.fromEntries(fields.map((field) => [field, record[field]])) as Pick<R, F>;
}

/** A record that hosts are told of, and that a report shows; `kind` tells which. */
export type HistoryRecord = TicketRecord | EntryRecord | OutcomeRecord;
/** A record of a user's chain. */
export type ChainedRecord = HistoryRecord | OrderRecord;
type Kind = ChainedRecord['kind'];
/** What a record of a user's chain can be. */
export const chainedKinds: readonly Kind[] = [...recordKinds, 'orders'];
/** The record of a kind. */
export type RecordOf<K extends Kind> = Extract<ChainedRecord, { kind: K }>;

type Given = keyof Told | 'transaction_id' | 'number_of_type' | 'id' | 'timestamp' | 'texts';
type Said<R> = R extends OrderRecord
  ? Omit<R, Given | 'order_id' | 'last_hash'>
  : R extends ChainedRecord
    ? Omit<R, Given>
    : never;
/** What a new record says; all else it is given. */
export type NewRecord = Said<ChainedRecord>;

/** The list in which a record is kept. */
export const listOf = (record: ChainedRecord | NewRecord): RecordList =>
  record.kind === 'entries' ? `entries#${record.entry_type}` : record.kind;

/** What a record of a kind is called by. */
const idsOf = {
  tickets: (ulid: string) => ({ transaction_id: idOf('txn', ulid) }),
  entries: (ulid: string) => ({ transaction_id: idOf('txn', ulid) }),
  outcomes: (ulid: string) => ({ id: idOf('out', ulid), timestamp: isoOf(timeOfUlid(ulid)) }),
  orders: (ulid: string) => ({ order_id: idOf('ord', ulid) }),
} as const satisfies Record<Kind, unknown>;

/**
 * Adds a record to a user's history: returns the user after it and the record to write. The record gets the
 * next id and sequence number, and a hash over the hash before it and all that it says, so that none can be
 * altered or taken out unseen. Its time is `now`, or a little later if the user's last id is ahead of it. Pure: the
 * same user, record and time give the same id.
 */
export function append<S extends NewRecord>(user: User, said: S, now: number) {
  const { organization_id, user_id } = user;
  const sequence = user.sequence + 1;
  const ulid = ulidAfter(user.last_ulid, now, `${organization_id}\n${user_id}\n${sequence}`);
  const list = listOf(said);
  const counts = countsAfter(user, said.kind, list);
  const content = {
    ...idsOf[said.kind](ulid),
    organization_id,
    user_id,
    date_created: isoOf(timeOfUlid(ulid)),
    sequence,
    number: counts[said.kind],
    ...(said.kind === 'orders' ? {} : { event_sequence: eventSequenceOf(counts) }),
    ...(list === said.kind ? {} : { number_of_type: counts[list] }),
    ...said,
    ...(said.kind === 'orders' ? { last_hash: user.last_hash } : {}),
    ...('idempotency_key' in said && said.idempotency_key ? { texts: digestOfTexts(user, said) } : {}),
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

/** How many of a user's records hosts are told of: all but orders of free spins. */
const eventSequenceOf = (counts: NonNullable<User['counts']>): number =>
  recordKinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);

/** The time of a user's next record, in epoch milliseconds: `now`, or that of the last record if it is ahead. */
export const timeOfNext = ({ last_ulid }: User, now: number): number =>
  Math.max(now, last_ulid === undefined ? 0 : timeOfUlid(last_ulid));

/** Every how many records of a user one is a milestone. */
export const milestoneEvery = 64;

/** The items to write with a record if it is a milestone: its ULID under its number, in its kind and its type. */
export function milestonesOf(record: ChainedRecord): Item[] {
  const { organization_id, user_id, kind, number } = record;
  // Nobody asks for a page of them.
  if (kind === 'orders') return [];
  const ulid = timeSortKey(record);
  const numbers: [RecordKind | RecordList, number][] = [[kind, number]];
  if (record.kind === 'entries') numbers.push([listOf(record), record.number_of_type]);
  return numbers
    .filter(([, count]) => count % milestoneEvery === 0)
    .map(([of, count]) => ({ ...milestoneKey(organization_id, user_id, of, count), ulid }));
}

/**
 * Hash of a record: SHA-256 over the previous record's hash and the record's content, keys and hash aside. The texts of
 * a host's request, which may be about a person, stand in it as a digest, so that they can be taken out some day.
 */
export function chainHash(previous: string, record: object): string {
  const { hash, ...said } = withoutKeys(record as Item);
  const content = said.texts === undefined ? said : withoutTexts(said);
  return sha256(`${previous}\n${canonicalJson(content)}`);
}

/** A record without the texts of a host's request, or an operator's words on a user. */
export function withoutTexts<R extends Item>(record: R): Omit<R, keyof Texts> {
  const { description, idempotency_key, why, ...rest } = record;
  return idempotency_key === undefined && record.texts === undefined ? record : rest;
}

/** A digest of texts; whoever does not have the user's key cannot tell texts by it, short ones neither. */
export function digestOfTexts({ text_key }: User, { description, idempotency_key, why }: Texts): string {
  // Erasing a user takes the key away; no record is made of an erased user.
  return createHmac('sha256', text_key!)
    .update(canonicalJson({ description, idempotency_key, why }))
    .digest('base64url');
}
type Texts = { description?: unknown; idempotency_key?: unknown; why?: unknown };
