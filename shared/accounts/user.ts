import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { get, getAll } from '../table/client.ts';
import { type Key, type RecordList, userKey } from '../table/keys.ts';
import type { Account, RecordKind } from '../vocabulary.ts';

/**
 * A user: one item with everything that requests of the user can change. `createUser()` creates it;
 * afterwards only `commit()` and `recordUserAction()` write it.
 */
export type User = Key & {
  organization_id: string;
  user_id: string;
  /** The host's name for the user. Empty after erasure. */
  external_reference: string;
  date_created: string;
  balances: Record<Account, number>;
  queued_spins: number;
  /** Number of regular plays on the day of the last play. */
  plays: { day: string; count: number };
  /** Number of wins on the day of the last win. Absent if wins were never limited. */
  wins?: { day: string; count: number };
  /**
   * Rises by one with every change. A change is written only if the version has not changed since the read.
   */
  version: number;
  /** Number of the user's last record. */
  sequence: number;
  /** Number of the user's records by kind and by entry type. Absent means 0. */
  counts?: Partial<Record<RecordKind | RecordList, number>>;
  /** ULID and hash of the last record. */
  last_ulid?: string;
  last_hash: string;
  /** Set while the user is frozen: only operators can change the user. */
  frozen?: true;
  /** Time of the erasure (ISO). An erased user cannot change, and the API does not find it. */
  erased_at?: string;
  /**
   * Digest of an erased user's reference. Kept while messages that contain the reference can still be in
   * transit.
   */
  reference_digest?: string;
  /** Secret key of the digests of texts in the user's records. Deleted at erasure. */
  text_key?: string;
};

/**
 * Returns a user with a consistent read. Throws `userNotFound` if the organization has no such user or the
 * user was erased.
 */
export async function readUser(organizationId: string, userId: string): Promise<User> {
  return unlessErased(await readStoredUser(organizationId, userId));
}

/**
 * Returns a user with a consistent read, even if erased. Throws `userNotFound` if the organization never had
 * the user.
 */
export async function readStoredUser(organizationId: string, userId: string): Promise<User> {
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const user = await get<User>(userKey(organizationId, userId));
  if (!user) throw refusals.userNotFound();
  return user;
}

/** Returns the user. Throws `userNotFound` if the user is missing or erased. */
export function unlessErased(user: User | undefined): User {
  if (!user || user.erased_at !== undefined) throw refusals.userNotFound();
  return user;
}

const mostPerRead = 100;

/**
 * Returns the current external references by user id, without erased users. One round trip. Records don't
 * store the reference, so whatever displays it looks it up here.
 */
export async function externalReferences(
  users: { organization_id: string; user_id: string }[],
): Promise<Map<string, string>> {
  const distinct = new Map(users.map(({ organization_id, user_id }) => [user_id, organization_id]));
  const keys = [...distinct].map(([userId, organizationId]) => userKey(organizationId, userId));
  const chunks = Array.from({ length: Math.ceil(keys.length / mostPerRead) }, (_, index) =>
    keys.slice(index * mostPerRead, (index + 1) * mostPerRead),
  );
  const found = (await Promise.all(chunks.map(getAll))).flat() as (User | undefined)[];
  return new Map(
    found.flatMap((user) =>
      user && user.erased_at === undefined ? [[user.user_id, user.external_reference] as const] : [],
    ),
  );
}
