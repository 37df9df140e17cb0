import { canonicalJson, sha256, timeOfUlid, ulidAfter } from './ids.ts';
import type { Item } from './table/client.ts';
import { type Key, type RecordKind, recordKey, recordTimeKey, type TimeKey } from './table/keys.ts';
import { dayOf, isoOf } from './time.ts';
import type { User } from './users.ts';

/** What every record of a user's history has; each kind adds its own fields. */
export type HistoryRecord = Key &
  TimeKey & {
    kind: RecordKind;
    organization_id: string;
    user_id: string;
    external_reference: string;
    date_created: string;
    sequence: number;
    hash: string;
  };

const idOf = {
  tickets: (ulid: string) => ({ transaction_id: `txn_${ulid}` }),
  entries: (ulid: string) => ({ transaction_id: `txn_${ulid}` }),
  outcomes: (ulid: string) => ({ id: `out_${ulid}`, timestamp: isoOf(timeOfUlid(ulid)) }),
} as const;

/**
 * Adds a record to a user's history: answers the user after it and the record to write. The record gets the
 * next id and sequence number, and a hash over the hash before it and all that it says, so that none can be
 * altered or taken out unseen. Its time is `now`, or a little later where the user's last id is ahead of it.
 */
export function append<K extends RecordKind, F extends Item>(user: User, kind: K, fields: F, now: number) {
  const ulid = ulidAfter(user.last_ulid, now);
  const at = timeOfUlid(ulid);
  const content = {
    kind,
    ...(idOf[kind](ulid) as ReturnType<(typeof idOf)[K]>),
    organization_id: user.organization_id,
    user_id: user.user_id,
    external_reference: user.external_reference,
    date_created: isoOf(at),
    sequence: user.sequence + 1,
    ...fields,
  };
  const hash = chainHash(user.last_hash, content);
  const record = {
    ...recordKey(user.organization_id, user.user_id, kind, ulid),
    ...recordTimeKey(user.organization_id, kind, dayOf(at), ulid),
    ...content,
    hash,
  };
  const after: User = {
    ...user,
    sequence: content.sequence,
    last_ulid: ulid,
    last_hash: hash,
  };
  return { user: after, record };
}

/** Hash of a record: SHA-256 over the previous record's hash and the record's content, keys and hash aside. */
export function chainHash(previous: string, record: Item): string {
  const { pk, sk, byTimePk, byTimeSk, hash, ...content } = record;
  return sha256(`${previous}\n${canonicalJson(content)}`);
}
