import { idOf, timeOfUlid, ulidAfter } from '../ids.ts';
import type { Item } from '../table/client.ts';
import {
  type Key,
  milestoneKey,
  type RecordList,
  recordKey,
  recordTimeKey,
  type TimeKey,
  timeSortKey,
} from '../table/keys.ts';
import { isoOf, startOfToday } from '../time.ts';
import {
  type DebugResult,
  type EntryType,
  type Game,
  type GameStatus,
  type PlayType,
  type RecordKind,
  recordKinds,
  type SteppedState,
} from '../vocabulary.ts';
import { digestOfTexts, recordHash } from './record-texts.ts';
import type { User } from './user.ts';

type Common = Key &
  TimeKey & {
    organization_id: string;
    user_id: string;
    date_created: string;
    /** Position of the record in the user's history, counted from 1. */
    sequence: number;
    /** Position of the record among the user's records of the same kind, counted from 1. */
    number: number;
    /** SHA-256 of the previous record's hash and this record's content. */
    hash: string;
    /** Milliseconds since the user's previous record, if any. Not in the hash. */
    ms_since_last?: number | undefined;
  };

/** `amount` is in whole tickets or entries, negative for a debit. */
type Transaction = {
  transaction_id: string;
  amount: number;
  balance_after: number;
  description: string;
  idempotency_key?: string | undefined;
  /** Keyed digest of the erasable texts, which the hash covers instead of the texts. */
  texts?: string;
  outcome_id?: string | undefined;
  action_id?: string | undefined;
  /** The drawing that used up the entries, or gave them back when it was called off. */
  drawing_id?: string | undefined;
  result_effective_date: string;
};

type WithEvents = Common & {
  /** The `sequence` in events: the record's position among the user's records with events, counted from 1. */
  event_sequence: number;
  /** Not covered by the hash, and deleted when the user is erased. */
  external_reference?: string | undefined;
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
  /** Ids of the prizes that were out of stock before the draw. */
  out?: string[] | undefined;
  /** The won item's number among all won items of this prize. Only for a prize with limited stock. */
  number?: number | undefined;
  number_of_day?: number | undefined;
};

/** State of the budgets before a draw, as stored in the outcome's record. */
export type DrawBudgets = {
  /** Day (New York) of the budgets. Absent if it is the day of the outcome's record. */
  day?: string | undefined;
  /** The day's cash before the draw: `grants` prizes, worth `granted` of `limit` whole USD. */
  cash: { grants: number; granted: number; limit: number };
  /** The cash of the promotion that began on `first_day`, before the draw. Absent without a promotion. */
  promotion?: { first_day: string; grants: number; granted: number; limit?: number | undefined } | undefined;
  /** True outside the promotion's period, so that only tickets could be won. */
  outside?: true | undefined;
  /** The game's stock before the draw. Absent if no prize of the game has a limited stock. */
  stock?: DrawStock | undefined;
  wins?: { granted: number; limit: number } | undefined;
};

export type OutcomeRecord = WithEvents & {
  kind: 'outcomes';
  id: string;
  timestamp: string;
  play_type: PlayType;
  game: Game;
  prize: Record<string, number>;
  prize_id: string;
  game_status: GameStatus;
  result_effective_date: string;
  cost: number;
  prize_table_version: string;
  /** Day (New York) from whose secret the server seed is derived. */
  secret_day: string;
  token_hash?: string | undefined;
  expires_at?: string | undefined;
  order_id?: string | undefined;
  client_seed: string;
  spin_index: number;
  /** Absent if a debug play forced the prize, because no budget limits a forced prize. */
  budgets?: DrawBudgets;
  debug?: DebugResult | undefined;
  /** Days in which a tracked prize must be claimed; 0 means no deadline. Absent if the prize is not tracked. */
  claim_days?: number | undefined;
};

/** A step of a prize's claim. */
export type ClaimRecord = WithEvents & {
  kind: 'claims';
  claim_id: string;
  /** Id of the outcome that won the prize, or of a drawing's prize (`drawnPrizeIdOf`). */
  prize_id: string;
  /** Amount by kind of prize; for the prize of a drawing, its label by language. */
  prize: Record<string, number | string>;
  state: SteppedState;
  /** The host's reference of the delivery. */
  reference?: string | undefined;
  reason?: string | undefined;
  /** Day (New York) of a delivery. */
  delivered_on?: string | undefined;
  /** The operator's AWS identity, or `API key` and the key's id. */
  operator: string;
  /** True if an operator corrected the state, so that it need not follow from the state before. */
  correction?: true | undefined;
  texts?: string;
};

/** Running spins does not change the record: a due item counts the remaining spins. */
export type OrderRecord = Common & {
  kind: 'orders';
  order_id: string;
  num_of_spins: number;
  run: 'queued' | 'at_once';
  /** Day (New York) on which the spins become due, at 00:00. */
  due_day: string;
  result_effective_date: string;
  prize_table_version: string;
  idempotency_key?: string;
  texts?: string;
};

export function pickFields<R extends UserRecord, F extends keyof R>(
  record: R,
  fields: readonly F[],
): Pick<R, F> {
  return Object.fromEntries(fields.map((field) => [field, record[field]])) as Pick<R, F>;
}

export type HistoryRecord = TicketRecord | EntryRecord | OutcomeRecord | ClaimRecord;
export type UserRecord = HistoryRecord | OrderRecord;
type Kind = UserRecord['kind'];
export const userRecordKinds: readonly Kind[] = [...recordKinds, 'claims', 'orders'];
export type RecordOfKind<K extends Kind> = Extract<UserRecord, { kind: K }>;

type GeneratedFields =
  | keyof WithEvents
  | 'transaction_id'
  | 'claim_id'
  | 'number_of_type'
  | 'id'
  | 'timestamp'
  | 'texts';
type RecordFields<R> = R extends OrderRecord
  ? Omit<R, GeneratedFields | 'order_id'>
  : R extends UserRecord
    ? Omit<R, GeneratedFields>
    : never;
export type NewRecord = RecordFields<UserRecord>;

export const recordListOf = (record: UserRecord | NewRecord): RecordList =>
  record.kind === 'entries' ? `entries#${record.entry_type}` : record.kind;

const idsOf = {
  tickets: (ulid: string) => ({ transaction_id: idOf('txn', ulid) }),
  entries: (ulid: string) => ({ transaction_id: idOf('txn', ulid) }),
  outcomes: (ulid: string) => ({ id: idOf('out', ulid), timestamp: isoOf(timeOfUlid(ulid)) }),
  claims: (ulid: string) => ({ claim_id: idOf('clm', ulid) }),
  orders: (ulid: string) => ({ order_id: idOf('ord', ulid) }),
} as const satisfies Record<Kind, unknown>;

export function appendRecord<S extends NewRecord>(user: User, fields: S, now: number) {
  const { organization_id, user_id } = user;
  const list = recordListOf(fields);
  const ulid = nextUlid(user, now);
  const content = contentOfNext(user, withDigest(user, fields), ulid);
  const hash = recordHash(user.last_hash, content);
  const record = {
    ...recordKey(organization_id, user_id, list, ulid),
    ...recordTimeKey(organization_id, user_id, list, ulid),
    ...(fields.kind === 'orders' ? {} : { external_reference: user.external_reference }),
    ...content,
    hash,
    ...(user.last_ulid === undefined ? {} : { ms_since_last: timeOfUlid(ulid) - timeOfUlid(user.last_ulid) }),
  };
  return { user: withLast(user, fields, ulid, hash), record: record as unknown as RecordOfKind<S['kind']> };
}

const nextUlid = ({ organization_id, user_id, sequence, last_ulid }: User, now: number): string =>
  ulidAfter(last_ulid, now, `${organization_id}\n${user_id}\n${sequence + 1}`);

const withDigest = <S extends NewRecord>(user: User, fields: S): S =>
  fields.kind === 'claims' || ('idempotency_key' in fields && fields.idempotency_key)
    ? { ...fields, texts: digestOfTexts(user, fields) }
    : fields;

function contentOfNext(user: User, fields: NewRecord, ulid: string) {
  const { organization_id, user_id } = user;
  const list = recordListOf(fields);
  const counts = countsAfter(user, fields.kind, list);
  return {
    ...idsOf[fields.kind](ulid),
    organization_id,
    user_id,
    date_created: isoOf(timeOfUlid(ulid)),
    sequence: user.sequence + 1,
    number: counts[fields.kind],
    ...(fields.kind === 'orders' ? {} : { event_sequence: eventSequenceOf(counts) }),
    ...(list === fields.kind ? {} : { number_of_type: counts[list] }),
    ...fields,
  };
}

const withLast = (user: User, fields: NewRecord, ulid: string, hash: string): User => ({
  ...user,
  sequence: user.sequence + 1,
  counts: countsAfter(user, fields.kind, recordListOf(fields)),
  last_ulid: ulid,
  last_hash: hash,
});

function countsAfter(user: User, kind: Kind, list: RecordList): NonNullable<User['counts']> {
  const counts = { ...user.counts, [kind]: (user.counts?.[kind] ?? 0) + 1 };
  return list === kind ? counts : { ...counts, [list]: (user.counts?.[list] ?? 0) + 1 };
}

/** Returns the number of a user's records about which hosts receive events: all records except orders of free spins. */
const eventSequenceOf = (counts: User['counts']): number =>
  [...recordKinds, 'claims' as const].reduce((sum, kind) => sum + (counts?.[kind] ?? 0), 0);

export const lastSequenceOf = ({ counts }: Pick<User, 'counts'>): number => eventSequenceOf(counts);

/** Returns the time of the user's next record (epoch milliseconds), which is never before the last record. */
export const timeOfNextRecord = ({ last_ulid }: User, now: number): number =>
  Math.max(now, last_ulid === undefined ? 0 : timeOfUlid(last_ulid));

/** Returns the default effective date of a user's next record: the start of its day in New York, as an ISO instant. */
export const nextEffectiveDate = (user: User, now: number): string =>
  startOfToday(timeOfNextRecord(user, now));

/** Every 64th record of a kind gets a milestone item, with which reports find records by number. */
export const recordsPerMilestone = 64;

/** Returns items only for every 64th record of a kind or list. */
export function milestonesOf(record: UserRecord): Item[] {
  const { organization_id, user_id, kind, number } = record;
  // Orders and claims need no milestones, because no report shows them.
  if (kind === 'orders' || kind === 'claims') return [];
  const ulid = timeSortKey(record);
  const numbers: [RecordKind | RecordList, number][] = [[kind, number]];
  if (record.kind === 'entries') numbers.push([recordListOf(record), record.number_of_type]);
  return numbers
    .filter(([, count]) => count % recordsPerMilestone === 0)
    .map(([list, count]) => ({ ...milestoneKey(organization_id, user_id, list, count), ulid }));
}
