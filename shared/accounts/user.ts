import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { getItem } from '../table/client.ts';
import { type Key, type RecordList, userKey } from '../table/keys.ts';
import type { Account, RecordKind, SteppedState } from '../vocabulary.ts';
import { requireNotErased } from './active.ts';

export type User = Key & {
  organization_id: string;
  user_id: string;
  /** Emptied by the last step of the user's erasure, after `texts_erased_at`. */
  external_reference: string;
  date_created: string;
  balances: Record<Account, number>;
  queued_spins: number;
  /** Day (New York) of the user's last regular play, and the number of regular plays on this day. */
  plays: { day: string; count: number };
  /** Day (New York) of the last win that counts towards `daily_win_limit`, and the number of such wins on that day. */
  wins?: { day: string; count: number };
  /** The states of prizes that the user won in drawings. Absent for most users. */
  drawn_prizes?: Record<string, SteppedState>;
  /** A write fails if the version has changed since the user was read. */
  version: number;
  sequence: number;
  /** Number of records by kind and by list. A missing key means 0. */
  counts?: Partial<Record<RecordKind | RecordList, number>>;
  last_ulid?: string;
  last_hash: string;
  /** True while the user is frozen. */
  frozen?: true;
  /** Requests for an erased user get `userNotFound`. */
  erased_at?: string;
  /** ISO instant at which the texts of an erased user were first erased everywhere, except in this item. */
  texts_erased_at?: string;
  text_key?: string;
};

/** Throws `userNotFound` if the user is missing or erased. */
export async function readUser(organizationId: string, userId: string): Promise<User> {
  return requireNotErased(await readUserOrErased(organizationId, userId));
}

/** Throws `userNotFound` if the user is missing. */
export async function readUserOrErased(organizationId: string, userId: string): Promise<User> {
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const user = await getItem<User>(userKey(organizationId, userId));
  if (!user) throw refusals.userNotFound();
  return user;
}
