/** How an operator closes books that are due: each with a record of who did it, all or nothing. */
import type { StoreBook } from '../books/close.ts';
import { closeBooks } from '../books/close-all.ts';
import { type BookAttributes, readBook, storeBookPart } from '../books/stored-books.ts';
import { addDays } from '../time.ts';
import type { By } from './operation-records.ts';
import { operate } from './record-action.ts';

/**
 * Closes an organization's books of all days that are over, as the schedule does. Returns the days that were
 * closed.
 */
export async function closeDueBooks(organizationId: string, by: By): Promise<string[]> {
  const keep: StoreBook = (organizationId, day, kept) => keepOnRecord(organizationId, day, kept, by);
  return (await closeBooks(organizationId, by.now, { keep })).days;
}

/** Keeps a book with its record; nothing if the schedule was faster. */
const keepOnRecord = (organizationId: string, day: string, kept: BookAttributes, by: By): Promise<void> =>
  operate(
    organizationId,
    async () => {
      if (await readBook(organizationId, day)) return undefined;
      const before = addDays(day, -1);
      const isFirst = !(await readBook(organizationId, before));
      return {
        action: 'book_closed',
        about: { last_book: { ...(isFirst ? {} : { before }), after: day } },
        before: {},
        after: {},
        parts: { book: storeBookPart(organizationId, day, kept) },
      };
    },
    by,
  );
