import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { get } from '../table/client.ts';
import { type Key, type RecordList, userKey } from '../table/keys.ts';
import type { Account, RecordKind } from '../vocabulary.ts';
import { unlessErased } from './active.ts';

/** A user's item in the table. Every change of the user rewrites the whole item. */
export type User = Key & {
  organization_id: string;
  user_id: string;
  /** The host's id for the user. The last step of the user's erasure empties it, after `texts_erased_at`. */
  external_reference: string;
  date_created: string;
  balances: Record<Account, number>;
  queued_spins: number;
  /** Day (New York) of the user's last regular play, and the number of regular plays on this day. */
  plays: { day: string; count: number };
  /**
   * Day (New York) of the user's last win that counted towards `daily_win_limit`, and the number of such wins
   * on that day.
   */
  wins?: { day: string; count: number };
  /** Increases by one with every change. A write fails if the version has changed since the user was read. */
  version: number;
  /** Sequence number of the user's last record. */
  sequence: number;
  /** Number of the user's records of each kind and each entry type. A missing key means 0. */
  counts?: Partial<Record<RecordKind | RecordList, number>>;
  /** ULID and hash of the user's last record. */
  last_ulid?: string;
  last_hash: string;
  /** True while the user is frozen. Then only operators can change the user. */
  frozen?: true;
  /** ISO instant of the user's erasure. Requests for an erased user get `userNotFound`. */
  erased_at?: string;
  /** ISO instant at which the texts of an erased user were first erased everywhere, except in this item. */
  texts_erased_at?: string;
  /** Secret key for the HMACs of texts in the user's records. The last step of the user's erasure deletes it. */
  text_key?: string;
};

/** Reads a user with a consistent read. Throws `userNotFound` if the user is missing or erased. */
export async function readUser(organizationId: string, userId: string): Promise<User> {
  return unlessErased(await readStoredUser(organizationId, userId));
}

/** Reads a user, even an erased one, with a consistent read. Throws `userNotFound` if the user is missing. */
export async function readStoredUser(organizationId: string, userId: string): Promise<User> {
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const user = await get<User>(userKey(organizationId, userId));
  if (!user) throw refusals.userNotFound();
  return user;
}
