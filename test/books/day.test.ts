import { expect, test } from 'vitest';
import { bookClosableAt, keptLineOf } from '../../shared/books/book.ts';
import { closeOpenBooks } from '../../shared/books/close-all.ts';
import { readLastBook } from '../../shared/books/stored-books.ts';
import { addDays, dayOf } from '../../shared/time.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { expectError, expectInvalid } from '../support/expectations.ts';

const today = dayOf(Date.now());

async function changesOf(api: Api) {
  const user_id = await api.user(20);
  const key = () => ({ idempotency_key: crypto.randomUUID() });
  await api.post(`/users/${user_id}/tickets/debit`, { amount: 3, ...key() });
  await api.post(`/users/${user_id}/tickets/credit`, { amount: 4, ...key() });
  await api.post(`/users/${user_id}/entries/credit`, { amount: 7, type: 'flight', ...key() });
  await api.post(`/users/${user_id}/entries/debit`, { amount: 2, type: 'flight', ...key() });
  await api.post(`/users/${user_id}/entries/credit`, { amount: 1, ...key() });
  await api.post(`/users/guest/${user_id}/game/play`, { num_of_spins: 5, ...key() });
}

const movementsOf = (rows: { amount: number }[]) => ({
  credited: rows.reduce((sum, { amount }) => sum + Math.max(0, amount), 0),
  debited: rows.reduce((sum, { amount }) => sum + Math.max(0, -amount), 0),
});

test('a closed day has the sums and counts of its reports, and the line to keep', async () => {
  const api = await newOrganization();
  await changesOf(api);
  await closeOpenBooks(api.organizationId, bookClosableAt(today));
  const rowsOf = async (path: string) => {
    const query = { start: today, end: addDays(today, 1) };
    const { items, transactions } = (await api.get(path, query)).body;
    return items ?? transactions;
  };
  const [tickets, entries, outcomes] = await Promise.all(
    ['/tickets/history', '/entrties/history', '/game/history'].map(rowsOf),
  );
  const ofType = (type: string) =>
    movementsOf(entries.filter(({ entry_type }: { entry_type: string }) => entry_type === type));
  const { book } = (await readLastBook(api.organizationId))!;
  const { status, body } = await api.get(`/books/${today}`);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      status: 'success',
      day: today,
      records: tickets.length + entries.length + outcomes.length + 1 + 1,
      counts: {
        tickets: tickets.length,
        entries: entries.length,
        outcomes: 5,
        orders: 1,
        claims: 0,
        actions: 1,
      },
      sums: {
        tickets: movementsOf(tickets),
        truck: ofType('truck'),
        flight: ofType('flight'),
        cash_usd: outcomes.reduce(
          (sum: number, { prize }: { prize: { cash_usd?: number } }) => sum + (prize.cash_usd ?? 0),
          0,
        ),
        spins: { regular: 0, amoe: 5, debug: 0 },
        spins_ordered: 5,
      },
      kept_line: keptLineOf(book),
    },
  });
  expect(body.sums.tickets).toMatchObject({ debited: 3 });
});

test('a day without a book is refused, and each reason has its own code', async () => {
  const [closed, open] = [await newOrganization(), await newOrganization()];
  await closeOpenBooks(closed.organizationId, bookClosableAt(today));
  const notClosed = [409, 'day_not_closed', 'the day is not closed yet'] as const;
  expectError(await open.get(`/books/${today}`), ...notClosed);
  expectError(await open.get(`/books/${addDays(today, 400)}`), ...notClosed);
  expectError(await closed.get(`/books/${addDays(today, 1)}`), ...notClosed);
  const before = await closed.get(`/books/${addDays(today, -1)}`);
  expectError(before, 404, 'book_not_found', 'No book of this day');
  for (const day of ['yesterday', '2027-02-30', '2027-1-1', `${today}T00:00:00Z`])
    expectInvalid(await closed.get(`/books/${day}`), 'day: Input should be a day such as 2027-01-31');
});
