/** Where an outcome stands in the book of its day. */
import { createHash } from 'node:crypto';
import type { OutcomeRecord } from '../accounts/records.ts';
import { timeOfUlid, ulidOf } from '../ids.ts';
import { get } from '../table/client.ts';
import { bookKey, recordKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import { leafLineOf } from './leaf-line.ts';
import { lowestTile, tileAt } from './tile-items.ts';
import { pathIn } from './tiles.ts';
import { leafHash } from './tree.ts';

/** A record's place in a book: its line, and the path from it to the root, whose hashes are in base64. */
export type Place = {
  day: string;
  index: number;
  size: number;
  root: string;
  path: string[];
  line: string;
  /** SHA-256 of the book's text, in hex: what those who keep a line of it can compare. */
  digest: string;
};

/** The place of a user's outcome in the book of its day, or undefined while that is open. Some four round trips. */
export async function placeInBook(
  organizationId: string,
  userId: string,
  outcomeId: string,
): Promise<Place | undefined> {
  const ulid = ulidOf(outcomeId);
  const day = dayOf(timeOfUlid(ulid));
  const [book, record, tile] = await Promise.all([
    get<{ note: string }>(bookKey(organizationId, day)),
    get<OutcomeRecord>(recordKey(organizationId, userId, 'outcomes', ulid)),
    lowestTile(organizationId, day, ulid),
  ]);
  if (!book || !record || !tile) return undefined;
  const text = book.note.slice(0, book.note.indexOf('\n\n') + 1);
  const [, size = '', root = ''] = text.split('\n');
  const line = leafLineOf(record);
  const above = (level: number, number: number) => tileAt(organizationId, day, level, number);
  const found = await pathIn(leafHash(line), tile, above);
  if (!found) return undefined;
  const path = found.path.map((hash) => Buffer.from(hash).toString('base64'));
  const digest = createHash('sha256').update(text).digest('hex');
  return { day, index: found.index, size: Number(size), root, path, line, digest };
}
