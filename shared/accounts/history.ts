import { greatestUlid, isId, isUlid } from '../ids.ts';
import { refusals } from '../refusals.ts';
import type { Item } from '../table/client.ts';
import { recordsOfUser } from '../table/keys.ts';
import { type Page, readPage } from '../table/ranges.ts';
import { readUser } from './user.ts';

/**
 * Returns a page of a user's records, newest first. Throws `userNotFound`, or `invalidToken` if `after` is not a ULID.
 */
export async function historyPage<T extends Item>(
  organizationId: string,
  userId: string,
  kind: 'tickets' | 'outcomes',
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<Page<T>> {
  if (after !== undefined && !isUlid(after)) throw refusals.invalidToken();
  // Checks the id before it becomes part of a key, because DynamoDB rejects keys that are too long.
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const range = recordsOfUser(organizationId, userId, kind);
  // A page of no rows also says whether rows follow.
  const reading = { limit: limit || 1, after, newestFirst: true, consistent: true };
  const { items, last } = await readPage(range, reading);
  if (items.length === 0) await readUser(organizationId, userId);
  if (limit > 0 || items.length === 0) return { items: items as T[], last };
  return { items: [], last: after ?? greatestUlid };
}
