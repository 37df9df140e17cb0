import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { get } from '../table/client.ts';
import { type Key, type RecordKind, type RecordList, userKey } from '../table/keys.ts';

/** The three balances that a user has. */
export type Account = 'tickets' | 'truck' | 'flight';

/** A user: all that a user's requests can change, in one item, written only by `commit()`. */
export type User = Key & {
  organization_id: string;
  user_id: string;
  external_reference: string;
  date_created: string;
  balances: Record<Account, number>;
  queued_spins: number;
  /** Regular plays on the day of the last one. */
  plays: { day: string; count: number };
  /** Rises with every change; a change is written only over the version it was decided on. */
  version: number;
  /** Number of the user's last record; a record carries its own. */
  sequence: number;
  /** How many records of each kind, and of each type of entry, the user has; none where absent. */
  counts?: Partial<Record<RecordKind | RecordList, number>>;
  /** ULID and hash of the last record. */
  last_ulid?: string;
  last_hash: string;
};

/** Reads a user as it is now. Throws `Invalid user ID` for one that this organization does not have. */
export async function readUser(organizationId: string, userId: string): Promise<User> {
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const user = await get<User>(userKey(organizationId, userId));
  if (!user) throw refusals.userNotFound();
  return user;
}
