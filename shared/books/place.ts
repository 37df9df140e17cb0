/** Where an outcome stands in the book of its day. */
import type { OutcomeRecord } from '../accounts/records.ts';
import { timeOfUlid, ulidOf } from '../ids.ts';
import { bookKey } from '../table/book-keys.ts';
import { get } from '../table/client.ts';
import { recordKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import { leafLineOf } from './leaf-line.ts';
import { parseNote } from './note.ts';
import { lowestTile, tileAt } from './tile-items.ts';
import { pathIn } from './tiles.ts';
import { leafHash } from './tree.ts';

/** A record's place in a book: the book's text, the record's line, and the path from it to the root, in base64. */
export type Place = {
  /**
   * What is signed. All that is said of the book follows from it, and so does its digest, of which people
   * keep lines.
   */
  text: string;
  /** The number of the record in the book, from 0. */
  index: number;
  line: string;
  path: string[];
};

/**
 * The place of a user's outcome in the book of its day, or undefined while that is open, or if it does not
 * have it. Some four round trips.
 */
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
  const text = book && parseNote(book.note)?.text;
  if (!text || !record || !tile) return undefined;
  const line = leafLineOf(record);
  const above = (level: number, number: number) => tileAt(organizationId, day, level, number);
  const found = await pathIn(leafHash(line), tile, above);
  if (!found) return undefined;
  const path = found.path.map((hash) => Buffer.from(hash).toString('base64'));
  return { text, index: found.index, line, path };
}
