import { isId, isUlid } from '../ids.ts';
import { refusals } from '../refusals.ts';
import type { Item } from '../table/client.ts';
import { recordsOfUser } from '../table/keys.ts';
import { type Page, readPage, readRange } from '../table/ranges.ts';
import { type ChainedRecord, chainedKinds } from './records.ts';
import { readUser } from './user.ts';

/**
 * A page of a user's records of one kind after a position, newest first. Positions are ULIDs of records. One round trip
 * (two if there are none, to tell a user without records from nobody). Throws `Invalid user ID`, or a refusal of
 * `next_token` for a position that is none.
 */
export async function historyPage<T extends Item>(
  organizationId: string,
  userId: string,
  kind: 'tickets' | 'outcomes',
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<Page<T>> {
  if (after !== undefined && !isUlid(after)) throw refusals.invalidToken();
  // An odd one may be too long for a key.
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const range = recordsOfUser(organizationId, userId, kind);
  const { items, last } = await readPage(range, { limit, after, newestFirst: true, consistent: true });
  if (items.length === 0) await readUser(organizationId, userId);
  return { items: items as T[], last };
}

/** All that is recorded of a user, of every kind; in no order but each kind's own. */
export async function allRecords(organizationId: string, userId: string): Promise<ChainedRecord[]> {
  const kinds = chainedKinds.map((kind) =>
    readRange(recordsOfUser(organizationId, userId, kind), { consistent: true }),
  );
  return (await Promise.all(kinds)).flat() as ChainedRecord[];
}
