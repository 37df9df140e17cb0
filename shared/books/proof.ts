import type { OutcomeRecord } from '../accounts/records.ts';
import { timeOfUlid, ulidOf } from '../ids.ts';
import { parseNote } from '../note.ts';
import { bookKey } from '../table/book-keys.ts';
import { getItem } from '../table/client.ts';
import { recordKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import { leafHash } from '../tree.ts';
import { leafLineOf } from './leaf-line.ts';
import { readLowestTile, readTile } from './tile-items.ts';
import { readMerklePath } from './tiles.ts';

export type BookProof = {
  /** The signed text of the book. Its digest must equal that of an auditor's kept line (`keptLineOf`). */
  text: string;
  /** The index of the record in the book, from 0. */
  index: number;
  line: string;
  /** The sibling hashes from the record up to the tree's root, in base64. */
  path: string[];
};

export async function readBookProof(
  organizationId: string,
  userId: string,
  outcomeId: string,
): Promise<BookProof | undefined> {
  const ulid = ulidOf(outcomeId);
  const day = dayOf(timeOfUlid(ulid));
  const [book, record, tile] = await Promise.all([
    getItem<{ note: string }>(bookKey(organizationId, day)),
    getItem<OutcomeRecord>(recordKey(organizationId, userId, 'outcomes', ulid)),
    readLowestTile(organizationId, day, ulid),
  ]);
  const text = book && parseNote(book.note)?.text;
  if (!text || !record || !tile) return undefined;
  const line = leafLineOf(record);
  const above = (level: number, number: number) => readTile(organizationId, day, level, number);
  const found = await readMerklePath(leafHash(line), tile, above);
  if (!found) return undefined;
  const path = found.path.map((hash) => Buffer.from(hash).toString('base64'));
  return { text, index: found.index, line, path };
}
