import * as z from 'zod/mini';
import { bookTotals } from '../../books/book.ts';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { routeTable } from './table.ts';

export const booksRoutes = /* @__PURE__ */ routeTable({
  'books/get': {
    method: 'GET',
    path: '/books/{day}',
    summary: 'Read the totals of a closed day, as its book states them',
    description:
      'Compare them with your ledger. A day in New York is closed at 01:00 on the next day, for good. `sums` has what was ' +
      'credited and debited on each account, including costs of games and prizes. `cash_usd` and `spins` count forced ' +
      'results only as `debug`. Keep `kept_line`: it proves this day and all earlier ones.',
    refuses: () => [
      refusals.invalid('day: Input should be a day such as 2027-01-31'),
      refusals.bookNotFound(),
      refusals.dayNotClosed(),
    ],
    schemas: () => ({
      path: z.object({ day: s.day }),
      reply: z.object({ day: s.day, records: z.number(), ...bookTotals.shape, kept_line: z.string() }),
    }),
    access: { table: ['GetItem'] },
  },
});
