import { bookKey, booksOf } from '../table/book-keys.ts';
import { getItem, type Item, putItem, type TableWrite } from '../table/client.ts';
import { between } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import type { Timestamp } from '../timestamps/timestamp.ts';
import { type Book, parseBook } from './book.ts';

/** A closed book: the signed text (`note`), the signer's verifier key, and earlier days' secrets. */
export type StoredBook = {
  day: string;
  note: string;
  key: string;
  /** The secrets of earlier days that the outcomes used, in hex by day. */
  secrets: Record<string, string>;
  /** Absent until an authority has given one. */
  timestamp?: Timestamp;
  book: Book;
};

/** Throws if the note is not a valid book. */
export const parseStoredBook = ({ sk, note, key, secrets, timestamp }: Item): StoredBook => {
  const parsed = parseBook(String(note));
  if ('fault' in parsed) throw new Error(`the stored book of ${sk} is invalid: ${parsed.fault}`);
  return {
    day: String(sk),
    note: String(note),
    key: String(key),
    secrets: secrets as StoredBook['secrets'],
    ...(timestamp ? { timestamp: timestamp as Timestamp } : {}),
    book: parsed.book,
  };
};

export async function readBook(organizationId: string, day: string): Promise<StoredBook | undefined> {
  const item = await getItem(bookKey(organizationId, day));
  return item && parseStoredBook(item);
}

export async function readLastBook(organizationId: string): Promise<StoredBook | undefined> {
  const newest = { limit: 1, newestFirst: true, consistent: true };
  const [item] = await readRange(booksOf(organizationId), newest);
  return item && parseStoredBook(item);
}

export async function readBooks(organizationId: string, since?: string): Promise<StoredBook[]> {
  const all = booksOf(organizationId);
  return (await readRange(since ? between(all, since) : all)).map(parseStoredBook);
}

/** The attributes with which a closed book is first stored. Its timestamp is added later. */
export type BookAttributes = Pick<StoredBook, 'note' | 'key' | 'secrets'>;

const firstOfDay = { ConditionExpression: 'attribute_not_exists(pk)' };

/** If the day already has a book, returns false and changes nothing. */
export const storeBook = (organizationId: string, day: string, kept: BookAttributes): Promise<boolean> =>
  putItem({ ...bookKey(organizationId, day), ...kept }, firstOfDay);

/** The transaction fails if the day already has a book. */
export const bookWrite = (organizationId: string, day: string, kept: BookAttributes): TableWrite => ({
  Put: { Item: { ...bookKey(organizationId, day), ...kept }, ...firstOfDay },
});

const withoutTimestamp = {
  ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#timestamp)',
  ExpressionAttributeNames: { '#timestamp': 'timestamp' },
};

/** If the book already has a timestamp, returns false and changes nothing. */
export const storeBookTimestamp = (
  organizationId: string,
  { day, note, key, secrets }: StoredBook,
  timestamp: Timestamp,
): Promise<boolean> =>
  putItem({ ...bookKey(organizationId, day), note, key, secrets, timestamp }, withoutTimestamp);
