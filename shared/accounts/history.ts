import { greatestUlid, isId, isUlid } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { recordsOfUser } from '../table/keys.ts';
import { type ItemPage, readPage } from '../table/ranges.ts';
import type { RecordOfKind } from './records.ts';
import { readUser } from './user.ts';

type HistoryRequest = {
  organizationId: string;
  path: { user_id: string };
  query: { limit: number };
  after?: string | undefined;
};

/**
 * Returns a page of a user's records, newest first. Throws `userNotFound`, or `invalidToken` if `after` is not a ULID.
 */
export async function readHistoryPage<K extends 'tickets' | 'outcomes'>(
  kind: K,
  { organizationId, path, query, after }: HistoryRequest,
): Promise<ItemPage<RecordOfKind<K>>> {
  const { limit } = query;
  if (after !== undefined && !isUlid(after)) throw refusals.invalidToken();
  // Checks the id before it becomes part of a key, because DynamoDB rejects keys that are too long.
  if (!isId('usr', path.user_id)) throw refusals.userNotFound();
  const range = recordsOfUser(organizationId, path.user_id, kind);
  // Reads a row even for a `limit` of 0, to tell whether rows follow.
  const reading = { limit: limit || 1, after, newestFirst: true, consistent: true };
  const { items, last } = await readPage(range, reading);
  if (items.length === 0) await readUser(organizationId, path.user_id);
  if (limit > 0 || items.length === 0) return { items: items as RecordOfKind<K>[], last };
  return { items: [], last: after ?? greatestUlid };
}
