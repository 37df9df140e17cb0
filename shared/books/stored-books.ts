/** Books as they are stored, and the tiles of their trees. */
import type { Item } from '../table/client.ts';
import { get, put, putAll } from '../table/client.ts';
import { bookKey, booksOf, type Key, lowestTilesOf, tileKey } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { type Book, parseBook } from './book.ts';
import type { Tile } from './tiles.ts';

/** A book that was closed: the signed note, and the verifier key of who signed it. */
export type StoredBook = { day: string; note: string; key: string; book: Book };

const storedIn = ({ sk, note, key }: Item): StoredBook => {
  const parsed = parseBook(String(note));
  if ('fault' in parsed) throw new Error(`the book of ${sk} cannot be read: ${parsed.fault}`);
  return { day: String(sk), note: String(note), key: String(key), book: parsed.book };
};

/** The book of a day, or undefined. One round trip. */
export async function readBook(organizationId: string, day: string): Promise<StoredBook | undefined> {
  const item = await get(bookKey(organizationId, day));
  return item && storedIn(item);
}

/** An organization's last book, or undefined. One round trip. */
export async function lastBook(organizationId: string): Promise<StoredBook | undefined> {
  const newest = { limit: 1, newestFirst: true, consistent: true };
  const [item] = await readRange(booksOf(organizationId), newest);
  return item && storedIn(item);
}

/** An organization's books, oldest first. */
export async function allBooks(organizationId: string): Promise<StoredBook[]> {
  return (await readRange(booksOf(organizationId))).map(storedIn);
}

/** Keeps a book for good. Returns false if the day has one already: that one stands. */
export const keepBook = (organizationId: string, day: string, note: string, key: string): Promise<boolean> =>
  put({ ...bookKey(organizationId, day), note, key }, { ConditionExpression: 'attribute_not_exists(pk)' });

const keyOf = (organizationId: string, day: string, { level, number, first }: Tile): Key =>
  tileKey(organizationId, day, level, level === 0 ? first : String(number));

const mostPerWrite = 25;

/** Keeps tiles of a book's tree. To keep one again changes nothing: it follows from the records. */
export async function keepTiles(organizationId: string, day: string, tiles: Tile[]): Promise<void> {
  const items = tiles.map(({ hashes, ...tile }) => ({
    ...keyOf(organizationId, day, { hashes, ...tile }),
    ...tile,
    hashes: Buffer.concat(hashes).toString('base64'),
  }));
  for (let i = 0; i < items.length; i += mostPerWrite) await putAll(items.slice(i, i + mostPerWrite));
}

const tileIn = ({ level, number, first, hashes }: Item): Tile => {
  const bytes = Buffer.from(String(hashes), 'base64');
  const each = Array.from({ length: bytes.length / 32 }, (_, i) => bytes.subarray(32 * i, 32 * (i + 1)));
  return { level: Number(level), number: Number(number), first: String(first), hashes: each };
};

/** The lowest tile that has the record of a ULID, if it is in the book. One round trip. */
export async function lowestTile(
  organizationId: string,
  day: string,
  ulid: string,
): Promise<Tile | undefined> {
  const range = { ...lowestTilesOf(organizationId, day), between: ['0', ulid] as [string, string] };
  const [item] = await readRange(range, { limit: 1, newestFirst: true });
  return item && tileIn(item);
}

/** A tile above the lowest ones. One round trip. */
export async function tileAt(
  organizationId: string,
  day: string,
  level: number,
  number: number,
): Promise<Tile | undefined> {
  const item = await get(tileKey(organizationId, day, level, String(number)));
  return item && tileIn(item);
}
