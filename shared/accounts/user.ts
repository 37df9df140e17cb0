import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { get, getAll } from '../table/client.ts';
import { type Key, type RecordList, userKey } from '../table/keys.ts';
import type { Account, RecordKind } from '../vocabulary.ts';

/**
 * A user: all that a user's requests can change, in one item, made by `createUser()` and from then on written only by
 * `commit()`, or with the record of what an operator does to it.
 */
export type User = Key & {
  organization_id: string;
  user_id: string;
  /** What the host calls it; empty once the user is erased. */
  external_reference: string;
  date_created: string;
  balances: Record<Account, number>;
  queued_spins: number;
  /** Regular plays on the day of the last one. */
  plays: { day: string; count: number };
  /** Wins on the day of the last one that was counted; absent unless the organization has limited them. */
  wins?: { day: string; count: number };
  /** Rises with every change; a change is written only over the version it was decided on. */
  version: number;
  /** Number of the user's last record; a record carries its own. */
  sequence: number;
  /** How many records of each kind, and of each type of entry, the user has; none if absent. */
  counts?: Partial<Record<RecordKind | RecordList, number>>;
  /** ULID and hash of the last record. */
  last_ulid?: string;
  last_hash: string;
  /** Set while an operator has frozen the user: nothing of it changes. */
  frozen?: true;
  /** Since when (ISO) the user is erased: nothing changes it any more, and to hosts there is none. */
  erased_at?: string;
  /**
   * What is left of the reference of one that is erased, as a digest, while what a host said of it may be on
   * its way.
   */
  reference_digest?: string;
  /** Secret; the key of the digests of texts in the user's records. Absent once the user is erased. */
  text_key?: string;
};

/**
 * Reads a user as it is now. Throws `Invalid user ID` for one that this organization does not have, or that
 * was erased.
 */
export async function readUser(organizationId: string, userId: string): Promise<User> {
  return unlessErased(await readStoredUser(organizationId, userId));
}

/**
 * Reads a user as it is stored now, be it erased. Throws `Invalid user ID` for one that this organization
 * never had.
 */
export async function readStoredUser(organizationId: string, userId: string): Promise<User> {
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const user = await get<User>(userKey(organizationId, userId));
  if (!user) throw refusals.userNotFound();
  return user;
}

/** A user, to a host. Throws `Invalid user ID` if there is none, or if it was erased: that is none any more. */
export function unlessErased(user: User | undefined): User {
  if (!user || user.erased_at !== undefined) throw refusals.userNotFound();
  return user;
}

const mostPerRead = 100;

/**
 * The references that users have at the moment, by user id; none for a user that was erased. One round trip. Nothing
 * but the user holds the host's own name for it: where it is told, it is looked up.
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
