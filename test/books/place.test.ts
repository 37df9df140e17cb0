import { expect, test } from 'vitest';
import { verifyPlace } from '../../functions/play/page/client/verify.ts';
import { bookDigest, keptLineOf } from '../../shared/books/book.ts';
import { closeBook } from '../../shared/books/close.ts';
import { readBook } from '../../shared/books/stored-books.ts';
import { dayOf } from '../../shared/time.ts';
import { newUrl, spinUrl } from '../games/support/plays.ts';
import { newOrganization } from '../support/api.ts';
import { invoke } from '../support/invoke.ts';
import { pageData } from '../world/inhabitants/page-data.ts';

test('the page of a played URL shows where its outcome stands, once its day is over and closed', async () => {
  const api = await newOrganization();
  const { organizationId } = api;
  const user = await api.user(3);
  const url = await newUrl(api, user);
  const { outcome, fairness } = (await spinUrl(url)).body;
  const playedAt = Date.parse(outcome.timestamp);
  const day = dayOf(playedAt);
  const path = { token: url.split('/').at(-1)! };
  const pageAt = async (now: number) =>
    pageData(String((await invoke('play/open', { organizationId, path, now })).body));
  const tomorrow = playedAt + 26 * 3_600_000;

  expect(await pageAt(tomorrow)).not.toHaveProperty('place');
  await closeBook(organizationId, day, undefined, () => true);
  const { book } = (await readBook(organizationId, day))!;
  const { place } = (await pageAt(tomorrow)) as { place: Parameters<typeof verifyPlace>[0] };
  expect(place).toMatchObject({ day, size: book.size, root: book.root.toString('base64') });
  expect(keptLineOf(book)).toBe(`${organizationId} ${day} ${place.digest}`);
  expect(place.digest).toBe(bookDigest(book.note.text));
  expect(await verifyPlace(place, outcome, fairness)).toBe(true);
  expect(await verifyPlace(place, { ...outcome, id: 'out_x' }, fairness)).toBe(false);
  // While its day lasts nobody looks for it.
  expect(await pageAt(playedAt)).not.toHaveProperty('place');
});
