import { canonicalJson, sha256, timeOfUlid, ulidAfter } from '../ids.ts';
import type { Item } from '../table/client.ts';
import {
  type Key,
  milestoneKey,
  type RecordKind,
  type RecordList,
  recordKey,
  recordTimeKey,
  type TimeKey,
} from '../table/keys.ts';
import { isoOf } from '../time.ts';
import type { User } from './user.ts';

/** What every record of a user's history has; each kind adds its own fields. */
export type HistoryRecord = Key &
  TimeKey & {
    kind: RecordKind;
    organization_id: string;
    user_id: string;
    external_reference: string;
    date_created: string;
    sequence: number;
    /** How many records of this kind the user has up to this one; for entries also how many of this type. */
    number: number;
    number_of_type?: number;
    entry_type?: 'truck' | 'flight';
    hash: string;
  };

const idOf = {
  tickets: (ulid: string) => ({ transaction_id: `txn_${ulid}` }),
  entries: (ulid: string) => ({ transaction_id: `txn_${ulid}` }),
  outcomes: (ulid: string) => ({ id: `out_${ulid}`, timestamp: isoOf(timeOfUlid(ulid)) }),
} as const;

/** The list in which a record of a kind is kept. Throws where an entry says no type. */
export function listOf(kind: RecordKind, entryType: unknown): RecordList {
  if (kind !== 'entries') return kind;
  if (entryType === 'truck' || entryType === 'flight') return `entries#${entryType}`;
  throw new Error('an entry record needs its entry_type');
}

/**
 * Adds a record to a user's history: answers the user after it and the record to write. The record gets the
 * next id and sequence number, and a hash over the hash before it and all that it says, so that none can be
 * altered or taken out unseen. Its time is `now`, or a little later where the user's last id is ahead of it.
 */
export function append<K extends RecordKind, F extends Item>(user: User, kind: K, fields: F, now: number) {
  const ulid = ulidAfter(user.last_ulid, now);
  const at = timeOfUlid(ulid);
  const list = listOf(kind, fields.entry_type);
  const counts = countsAfter(user, kind, list);
  const content = {
    kind,
    ...(idOf[kind](ulid) as ReturnType<(typeof idOf)[K]>),
    organization_id: user.organization_id,
    user_id: user.user_id,
    external_reference: user.external_reference,
    date_created: isoOf(at),
    sequence: user.sequence + 1,
    number: counts[kind] ?? 1,
    ...(list === kind ? {} : { number_of_type: counts[list] ?? 1 }),
    ...fields,
  };
  const hash = chainHash(user.last_hash, content);
  const record = {
    ...recordKey(user.organization_id, user.user_id, list, ulid),
    ...recordTimeKey(user.organization_id, list, ulid),
    ...content,
    hash,
  };
  const after: User = {
    ...user,
    sequence: content.sequence,
    counts,
    last_ulid: ulid,
    last_hash: hash,
  };
  return { user: after, record };
}

function countsAfter(user: User, kind: RecordKind, list: RecordList): NonNullable<User['counts']> {
  const counts = { ...user.counts, [kind]: (user.counts?.[kind] ?? 0) + 1 };
  return list === kind ? counts : { ...counts, [list]: (user.counts?.[list] ?? 0) + 1 };
}

/** Every how many records of a user one is a milestone. */
export const milestoneEvery = 64;

/** The items to write with a record where it is a milestone: its ULID under its number, in its kind and its type. */
export function milestonesOf(record: HistoryRecord): Item[] {
  const { organization_id, user_id, kind, number, number_of_type, byTimeSk: ulid } = record;
  const isMilestone = (count: number | undefined) => count !== undefined && count % milestoneEvery === 0;
  const items: Item[] = [];
  if (isMilestone(number)) items.push({ ...milestoneKey(organization_id, user_id, kind, number), ulid });
  if (isMilestone(number_of_type)) {
    const list = listOf(kind, record.entry_type);
    items.push({ ...milestoneKey(organization_id, user_id, list, number_of_type!), ulid });
  }
  return items;
}

/** Hash of a record: SHA-256 over the previous record's hash and the record's content, keys and hash aside. */
export function chainHash(previous: string, record: Item): string {
  const { pk, sk, byTimePk, byTimeSk, hash, ...content } = record;
  return sha256(`${previous}\n${canonicalJson(content)}`);
}
