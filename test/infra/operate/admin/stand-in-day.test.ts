import { expect, test } from 'vitest';
import { closeStandInDay } from '../../../../infra/operate/admin/stand-in-day.ts';
import { readBooks } from '../../../../shared/books/stored-books.ts';
import { readOrganizationIds } from '../../../../shared/organizations/organizations.ts';
import { addDays, dayOf, startOfDay } from '../../../../shared/time.ts';
import { testContext } from '../../../support/test-context.ts';

const hourMs = 3_600_000;
// In the hour after midnight, uses the day before, because a timestamp cannot have a time in the future.
const today = dayOf(Date.now() - hourMs);

test.each([
  ['the day before', startOfDay(today) + hourMs, addDays(today, -1)],
  ['the day before that, within an hour after midnight', startOfDay(today) + hourMs - 1, addDays(today, -2)],
])('%s is closed, and its book of all kinds of records is good', async (_, now, closed) => {
  const { organization_id, day, records, key, ...checked } = await closeStandInDay('local', {
    ...testContext(),
    now,
  });
  expect(day).toBe(closed);
  expect(checked).toMatchObject({ verdict: 'good', findings: {}, timestamped: true });
  const books = await readBooks(organization_id);
  expect(books).toMatchObject([{ day, key, book: { size: records, header: { stage: 'local' } } }]);
  expect(books[0]!.book.header).toMatchObject({
    counts: { actions: 2, orders: 1, outcomes: 6 },
    sums: { spins: { regular: 3, amoe: 3, debug: 0 } },
  });
  // No scheduled worker visits the organization.
  expect(await readOrganizationIds()).not.toContain(organization_id);
});

test('production has none', async () => {
  await expect(closeStandInDay('production', testContext())).rejects.toThrow(
    'There is no stand-in day on production.',
  );
});
