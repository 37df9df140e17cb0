import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { booksRoutes } from '../../shared/api/routes/books.ts';
import { keptLineOf } from '../../shared/books/book.ts';
import { readBook } from '../../shared/books/stored-books.ts';
import { timeOfUlid, ulidOf } from '../../shared/ids.ts';
import { refusals } from '../../shared/refusals.ts';
import { dayOf } from '../../shared/time.ts';

export const handler = endpoint(booksRoutes['books/get'], async ({ organizationId, path: { day } }) => {
  const stored = await readBook(organizationId, day);
  if (!stored) {
    const firstDay = dayOf(timeOfUlid(ulidOf(organizationId)));
    throw day < firstDay ? refusals.bookNotFound() : refusals.dayNotClosed();
  }
  const { book } = stored;
  return reply({ ...book.header, records: book.size, kept_line: keptLineOf(book) });
});
