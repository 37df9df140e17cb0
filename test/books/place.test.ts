import { expect, test } from 'vitest';
import { verifyBookProof } from '../../functions/play/page/client/place.ts';
import { verifyRecordedOutcome } from '../../infra/operate/admin/explain/verify-outcome.ts';
import { closeBook } from '../../shared/books/close.ts';
import { readBook } from '../../shared/books/stored-books.ts';
import { findOutcome } from '../../shared/games/find-outcome.ts';
import { bookKey } from '../../shared/table/book-keys.ts';
import { putItem } from '../../shared/table/client.ts';
import { addDays, dayOf } from '../../shared/time.ts';
import type { Game } from '../../shared/vocabulary.ts';
import { newUrl, spinUrl } from '../games/support/plays.ts';
import { newOrganization } from '../support/api.ts';
import { invoke } from '../support/invoke.ts';
import { pageData } from '../world/actors/page-data.ts';

const afterADay = 26 * 3_600_000;

async function played() {
  const api = await newOrganization();
  const { organizationId } = api;
  const url = await newUrl(api, await api.user(3));
  const { outcome, fairness } = (await spinUrl(url)).body;
  const playedAt = Date.parse(outcome.timestamp);
  const path = { token: url.split('/').at(-1)! };
  const pageAt = async (now: number) =>
    pageData(String((await invoke('play/open', { organizationId, path, now })).body));
  return { organizationId, outcome, fairness, playedAt, day: dayOf(playedAt), pageAt, ...path };
}

test('the page of a played URL proves that its outcome is in the book, once the day is closed', async () => {
  const { organizationId, outcome, fairness, playedAt, day, pageAt, token } = await played();
  expect(await pageAt(playedAt + afterADay)).not.toHaveProperty('place');
  await closeBook(organizationId, day, undefined, () => true);
  const { book } = (await readBook(organizationId, day))!;
  const page = (await pageAt(playedAt + afterADay)) as {
    place: Parameters<typeof verifyBookProof>[0];
    text: string;
    game: Game;
    cost: number;
  };
  expect(page.place.text).toBe(book.note.text);
  expect(page.text).toContain(`${day}, record ${page.place.index + 1} of ${book.size}`);
  expect(page.text).toContain(book.digest);
  const shown = { token, game: page.game, cost: page.cost };
  expect(await verifyBookProof(page.place, outcome, fairness, shown)).toBe(true);
  expect(await verifyBookProof(page.place, { ...outcome, id: 'out_x' }, fairness, shown)).toBe(false);
  // The outcome's page does not contain a proof until the outcome's day is over.
  expect(await pageAt(playedAt)).not.toHaveProperty('place');
});

test('an operator’s check finds that an outcome differs from its closed book, although its draw is right', async () => {
  const { organizationId, outcome, day } = await played();
  const verify = () => verifyRecordedOutcome(organizationId, outcome.id);
  expect(await verify()).toMatchObject({
    verified: true,
    not_checked: [expect.stringContaining('not closed'), expect.anything()],
  });
  await closeBook(organizationId, day, undefined, () => true);
  expect((await verify()).not_checked).toHaveLength(1);
  const record = (await findOutcome(organizationId, outcome.id))!;
  await putItem({ ...record, result_effective_date: `${addDays(day, -1)}T12:00:00.000Z` });
  expect(await verify()).toMatchObject({
    verified: false,
    faults: [`The book of ${day} cannot be read or does not contain it.`],
  });
});

test('an operator’s check finds an outcome in its book, and rejects a replaced book', async () => {
  const { organizationId, outcome, playedAt, day, pageAt } = await played();
  await closeBook(organizationId, day, undefined, () => true);
  const { note, key, book } = (await readBook(organizationId, day))!;
  const verify = () => verifyRecordedOutcome(organizationId, outcome.id);
  expect(await verify()).toMatchObject({ verified: true, book: { day, records: book.size } });

  const root = book.root.toString('base64');
  const keepNote = (note: string) => putItem({ ...bookKey(organizationId, day), note, key });
  await keepNote(note.replace(root, Buffer.alloc(32).toString('base64')));
  expect((await verify()).faults).toEqual([`It differs from the record in the book of ${day}.`]);
  // Two unreadable notes: the first lacks its first line, the second has a further line `more` in its text.
  for (const unread of [note.slice(note.indexOf('\n') + 1), note.replace('\n\n', '\n\nmore\n\n')]) {
    await keepNote(unread);
    expect((await verify()).faults).toEqual(['The book of its day cannot be read.']);
  }
  // Without a signature, the text is not a note, so the closed book counts as unreadable.
  await keepNote(book.note.text);
  expect((await verify()).faults).toEqual([`The book of ${day} cannot be read or does not contain it.`]);
  expect(await pageAt(playedAt + afterADay)).not.toHaveProperty('place');
});
