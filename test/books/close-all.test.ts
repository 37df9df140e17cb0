import { expect, test, vi } from 'vitest';
import { closeAllBooks } from '../../shared/books/close-all.ts';
import { lastBook } from '../../shared/books/stored-books.ts';
import { createOrganization } from '../../shared/games/open-organization.ts';
import { isoOf, startOfDay } from '../../shared/time.ts';
import { useOwnTable } from '../support/own-table.ts';

const hour = 3_600_000;
const start = startOfDay('2031-05-06');

test('no book is closed while its day lasts, whatever an event says, but on a laptop', async () => {
  await useOwnTable('close-all');
  const by = { operator: 'test', now: start + hour };
  const { organization_id } = await createOrganization('Books', 'local', by);
  const event = { now: isoOf(start + 49 * hour) };
  vi.stubEnv('STAGE', 'production');
  expect(await closeAllBooks(event, start + 2 * hour, () => true)).toEqual({ closed: 0 });
  // A clock may be behind by less than a minute.
  const midnight = { now: isoOf(start + 25 * hour) };
  expect(await closeAllBooks(midnight, start + 25 * hour - 59_000, () => true)).toEqual({ closed: 1 });
  vi.unstubAllEnvs();
  expect(await closeAllBooks(event, start + 2 * hour, () => true)).toEqual({ closed: 1 });
  expect((await lastBook(organization_id))!.day).toBe('2031-05-07');
});
