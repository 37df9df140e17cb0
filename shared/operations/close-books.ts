/** Closes due books as an operator's action. */
import type { StoreBook } from '../books/close.ts';
import { closeBooks } from '../books/close-all.ts';
import { type BookAttributes, readBook, storeBookPart } from '../books/stored-books.ts';
import { addDays } from '../time.ts';
import type { By } from './operation-records.ts';
import { recordAction } from './record-action.ts';

/**
 * Closes an organization's books of all past days, like the schedule. Returns the days of the closed books.
 */
export async function closeDueBooks(organizationId: string, by: By): Promise<string[]> {
  const keep: StoreBook = (organizationId, day, kept) => storeWithRecord(organizationId, day, kept, by);
  return (await closeBooks(organizationId, by.now, { keep })).days;
}

/** Stores a book with the action's record. Does nothing if the schedule has stored the book first. */
const storeWithRecord = (organizationId: string, day: string, kept: BookAttributes, by: By): Promise<void> =>
  recordAction(
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
