import type { StoreBook } from '../books/close.ts';
import { closeOpenBooks } from '../books/close-all.ts';
import { type BookAttributes, bookWrite, readBook } from '../books/stored-books.ts';
import { addDays } from '../time.ts';
import type { ActionContext } from './action-records.ts';
import { recordAction } from './record-action.ts';

/** Closes the books of past days that the scheduled worker has not closed. */
export async function closeDueBooks(organizationId: string, context: ActionContext): Promise<string[]> {
  const store: StoreBook = (organizationId, day, attributes) =>
    storeWithRecord(organizationId, day, attributes, context);
  return (await closeOpenBooks(organizationId, context.now, { store })).days;
}

/** Stores a book with the action's record, unless the scheduled worker has closed the book in the meantime. */
const storeWithRecord = (
  organizationId: string,
  day: string,
  attributes: BookAttributes,
  context: ActionContext,
): Promise<void> =>
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
        writes: { book: bookWrite(organizationId, day, attributes) },
      };
    },
    context,
  );
