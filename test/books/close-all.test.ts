import { expect, test, vi } from 'vitest';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { closeAllBooks } from '../../shared/books/close-all.ts';
import { readBooks, readLastBook } from '../../shared/books/stored-books.ts';
import { stages } from '../../shared/stage.ts';
import { isoOf, startOfDay } from '../../shared/time.ts';
import { counted } from '../support/counted.ts';
import { useOwnTable } from '../support/own-table.ts';

const hour = 3_600_000;
const start = startOfDay('2031-05-06');

test('a book is closed early only by a schedule on a laptop', async () => {
  await useOwnTable('close-all');
  const context = { operator: 'test', now: start + hour };
  const { organization_id } = await createOrganization('Books', 'local', context);
  const event = { now: isoOf(start + 49 * hour) };
  vi.stubEnv('STAGE', 'production');
  expect(await closeAllBooks(event, start + 2 * hour, () => true)).toEqual({ closed: 0 });
  // The function's clock is 59 seconds slow. The book is closed anyway, because the schedule's time counts.
  const midnight = { now: isoOf(start + 25 * hour) };
  expect(await closeAllBooks(midnight, start + 25 * hour - 59_000, () => true)).toEqual({ closed: 1 });
  vi.unstubAllEnvs();
  expect(await closeAllBooks(event, start + 2 * hour, () => true)).toEqual({ closed: 1 });
  expect((await readLastBook(organization_id))!.day).toBe('2031-05-07');
});

test.each(stages)('a book that was closed on %s says so', async (stage) => {
  await useOwnTable(`stage-${stage}`);
  const context = { operator: 'test', now: start + hour };
  const { organization_id } = await createOrganization('Books', stage, context);
  const now = start + 25 * hour;
  vi.stubEnv('STAGE', stage);
  await closeAllBooks({ now: isoOf(now) }, now, () => true);
  vi.unstubAllEnvs();
  expect((await readLastBook(organization_id))!.book.header.stage).toBe(stage);
});

test.each([
  ['an open book', 1],
  ['an organization that the run does not reach', 0],
])('%s counts as late once its day ended more than 12 hours ago', async (_, visits) => {
  await useOwnTable('late-books');
  await createOrganization('Books', 'local', { operator: 'test', now: start + hour });
  const lateAt = (now: number) => {
    let left = visits;
    return counted('LateBooks', () => closeAllBooks({ now: isoOf(now) }, now, () => left-- > 0));
  };
  expect(await lateAt(start + 36 * hour)).toEqual([0]);
  expect(await lateAt(start + 36 * hour + 1)).toEqual([1]);
});

test('an organization whose books fail to close counts as late at once', async () => {
  await useOwnTable('failed-books');
  await createOrganization('Books', 'local', { operator: 'test', now: start + hour });
  const now = start + 25 * hour;
  const fail = () => Promise.reject(new Error('no table'));
  const late = await counted('LateBooks', () => closeAllBooks({ now: isoOf(now) }, now, () => true, fail));
  expect(late).toEqual([1]);
});

test('an action of a command that began before a book was closed, and was made after it, is in the next book', async () => {
  await useOwnTable('long-commands');
  const opening = { operator: 'test', now: start + hour };
  const { organization_id: org } = await createOrganization('Books', 'local', opening);
  const close = (now: number) => closeAllBooks({ now: isoOf(now) }, now, () => true);
  await close(start + 25 * hour);
  // The command began at 23:30 in New York, two hours ago.
  const context = { operator: 'test', now: start + 23.5 * hour, readAt: Date.now() - 2 * hour };
  await changeSettings(org, { cost_truck: 7 }, context);
  await close(start + 49 * hour);
  const books = await readBooks(org);
  expect(books.map(({ day, book }) => [day, book.header.counts.actions])).toEqual([
    ['2031-05-06', 1],
    ['2031-05-07', 1],
  ]);
});
