import { beforeAll, describe, expect, test } from 'vitest';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { placeOrder } from '../../shared/amoe/place-order.ts';
import { closeBook } from '../../shared/books/close.ts';
import { closeOpenBooks } from '../../shared/books/close-all.ts';
import { leafLineOf } from '../../shared/books/leaf-line.ts';
import { readRecordsOfDay, type StoredRecord } from '../../shared/books/records-of-day.ts';
import { readBook, readBooks } from '../../shared/books/stored-books.ts';
import { readLowestTile, readTile, storeTiles } from '../../shared/books/tile-items.ts';
import { createTileBuilder, readMerklePath } from '../../shared/books/tiles.ts';
import { daySecret } from '../../shared/games/day-secrets.ts';
import { secretFingerprint } from '../../shared/games/seeds.ts';
import { newId } from '../../shared/ids.ts';
import { isSignedBy, parseVerifierKey } from '../../shared/note.ts';
import { bookKey } from '../../shared/table/book-keys.ts';
import { transact } from '../../shared/table/client.ts';
import { tableDefinition, timeSortKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { addDays, startOfDay } from '../../shared/time.ts';
import { leafHash, rootFromPath, rootOfLeaves } from '../../shared/tree.ts';
import { times } from '../support/api.ts';
import { promisedOn } from '../support/promised.ts';
import { outcomeOf, transactionOf, userOf, writeRecords } from '../support/records.ts';

const hour = 3_600_000;
const day = '2031-05-06';
const start = startOfDay(day);

describe('tiles', () => {
  test('continue from any saved state', () => {
    const leaves = times(700, (i) => leafHash(`${i}`));
    let builder = createTileBuilder();
    for (const [i, leaf] of leaves.entries()) {
      if (i % 97 === 0) builder = createTileBuilder(JSON.parse(JSON.stringify(builder.state())));
      builder.add(leaf, `${i}`);
    }
    expect(Buffer.from(builder.finish().root)).toEqual(rootOfLeaves(leaves));
  });
});

test('more tiles than one request may write are stored', async () => {
  const organizationId = newId('org', start);
  const hashes = [Buffer.alloc(32)];
  await storeTiles(
    organizationId,
    day,
    times(26, (number) => ({ level: 1, number, first: '', hashes })),
  );
  expect(await Promise.all(times(26, (number) => readTile(organizationId, day, 1, number)))).toEqual(
    times(26, (number) => expect.objectContaining({ number, hashes: [new Uint8Array(32)] })),
  );
});

test('the records of a day are those of all kinds, from its first to its last millisecond', async () => {
  const context = { operator: 'test', now: start - hour };
  const { organization_id } = await createOrganization('Edges', 'local', context);
  let user = userOf(organization_id, 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV');
  const end = startOfDay(addDays(day, 1));
  for (const at of [start - 1, start, end - 1, end]) {
    const posted = await transactionOf(user, 'tickets', at);
    user = posted.user;
    await writeRecords([posted.record as never]);
  }
  const asked = { num_of_spins: 1, idempotency_key: 'o' };
  const request = { organizationId: organization_id, userId: user.user_id, asked, now: start + hour };
  const other = userOf(organization_id, 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAW');
  await writeRecords([placeOrder(other, request, promisedOn(addDays(day, 1))).order as never]);
  const found = [];
  for await (const { kind, date_created } of readRecordsOfDay(organization_id, day))
    found.push([kind, Date.parse(String(date_created))]);
  expect(found).toEqual([
    ['tickets', start],
    ['orders', start + hour],
    ['tickets', end - 1],
  ]);
});

test('records of different kinds with the same ULID have the order of kinds in a book', async () => {
  const context = { operator: 'test', now: start - hour };
  const { organization_id } = await createOrganization('Same', 'local', context);
  const user = (last: string) => userOf(organization_id, `usr_01ARZ3NDEKTSV4RRFFQ69G5FA${last}`);
  const { record: tickets } = await transactionOf(user('V'), 'tickets', start);
  const { record: outcome } = await outcomeOf(user('W'), start);
  const { record: entries } = await transactionOf(user('X'), 'truck', start);
  const sameTime = { [tableDefinition.byTime.sortKey]: timeSortKey(tickets as never) };
  await writeRecords([tickets, outcome, entries].map((record) => ({ ...record, ...sameTime }) as never));
  const kinds = [];
  for await (const { kind } of readRecordsOfDay(organization_id, day)) kinds.push(kind);
  expect(kinds).toEqual(['entries', 'outcomes', 'tickets']);
});

describe('the book of a day', () => {
  let organizationId: string;
  beforeAll(async () => {
    const context = { operator: 'test', now: start + hour };
    organizationId = (await createOrganization('Books', 'local', context)).organization_id;
    for (const name of ['a', 'b']) {
      let user = userOf(organizationId, `usr_01ARZ3NDEKTSV4RRFFQ69G5FA${name.toUpperCase()}`);
      for (const i of times(150, (i) => i)) {
        const posted = await transactionOf(user, i % 3 ? 'tickets' : 'truck', start + 2 * hour + i * 1000);
        user = posted.user;
        await writeRecords([posted.record as never]);
      }
    }
  });
  const recordsIn = async () => {
    const records: StoredRecord[] = [];
    for await (const record of readRecordsOfDay(organizationId, day)) records.push(record);
    return records;
  };

  const tilesIn = (prefix: string) =>
    readRange({ partition: `TILES#${organizationId}#${day}`, prefix }, { consistent: true });
  const tilesOf = () => tilesIn('TILE#');
  /** Deletes the day's book, its tiles, and the stored progress of closing it. */
  const clear = async () => {
    const keys = [...(await tilesIn('')).map(({ pk, sk }) => ({ pk, sk })), bookKey(organizationId, day)];
    const parts = keys.map(({ pk, sk }, i) => [`${i}`, { Delete: { Key: { pk, sk } } }]);
    await transact(Object.fromEntries(parts));
  };

  test('is closed once, an hour after midnight, followed by the books of empty days', async () => {
    const midnight = startOfDay(addDays(day, 1));
    expect(await closeOpenBooks(organizationId, midnight + hour - 1)).toEqual({ days: [], open: undefined });
    expect(await closeOpenBooks(organizationId, midnight + hour)).toEqual({ days: [day], open: undefined });
    const [book] = await readBooks(organizationId);
    expect(await closeOpenBooks(organizationId, midnight + hour)).toEqual({ days: [], open: undefined });
    const later = await closeOpenBooks(organizationId, midnight + 49 * hour);
    expect(later.days).toEqual([addDays(day, 1), addDays(day, 2)]);
    const books = await readBooks(organizationId);
    expect(books[0]).toEqual(book);
    expect(books.map(({ book }) => book.header.previous)).toEqual([
      null,
      books[0]!.book.digest,
      books[1]!.book.digest,
    ]);
    expect(books.map(({ book }) => book.size)).toEqual([301, 0, 0]);
    for (const { key, book } of books) expect(isSignedBy(book.note, parseVerifierKey(key)!)).toBe(true);
  });

  test('states totals, the day’s secret, and the fingerprint of the secret of two days later', async () => {
    const { header, root, size } = (await readBook(organizationId, day))!.book;
    const records = await recordsIn();
    expect(header.counts).toEqual({
      tickets: 200,
      entries: 100,
      outcomes: 0,
      orders: 0,
      claims: 0,
      actions: 1,
    });
    expect(header.sums).toMatchObject({ tickets: { credited: 200, debited: 0 }, truck: { credited: 100 } });
    expect(header.secrets).toEqual({ [day]: (await daySecret(organizationId, day)).toString('hex') });
    const ahead = addDays(day, 2);
    expect(header.fingerprints).toEqual({
      [ahead]: secretFingerprint(await daySecret(organizationId, ahead)),
    });
    expect(header.settings).toMatchObject({ daily_cash_limit_usd: 500, cost_truck: 5 });
    expect(records).toHaveLength(size);
    const lines = records.map(leafLineOf);
    expect(lines.join()).not.toMatch(/"key-|A change/);
    expect(root).toEqual(rootOfLeaves(lines.map((line) => leafHash(line))));
    const ids = records.map(timeSortKey);
    expect(ids).toEqual([...ids].sort());
  });

  test('has a path from each of its records to the root', async () => {
    const { root, size } = (await readBook(organizationId, day))!.book;
    const records = await recordsIn();
    for (const index of [0, 1, 255, 256, 300]) {
      const leaf = leafHash(leafLineOf(records[index]!));
      const tile = await readLowestTile(organizationId, day, timeSortKey(records[index]!));
      const found = await readMerklePath(leaf, tile!, (level, number) =>
        readTile(organizationId, day, level, number),
      );
      expect(found?.index).toBe(index);
      expect(rootFromPath(leaf, index, size, found!.path)).toEqual(root);
    }
    const none = await readLowestTile(organizationId, day, '0');
    expect(none).toBeUndefined();
  });

  test('is the same when closed in several calls or by two at once', async () => {
    const book = (await readBook(organizationId, day))!;
    const whole = await tilesOf();
    let goes = 0;
    await clear();
    while (!(await closeBook(organizationId, day, undefined, () => false, 50))) goes++;
    expect(goes).toBe(6);
    expect(await readBook(organizationId, day)).toEqual(book);
    expect(await tilesOf()).toEqual(whole);
    await clear();
    const close = () => closeBook(organizationId, day, undefined, () => true, 50);
    expect(await Promise.all([close(), close()])).toEqual([true, true]);
    expect(await readBook(organizationId, day)).toEqual(book);
    expect(await tilesOf()).toEqual(whole);
  });

  test('is not replaced when closed again', async () => {
    const before = await readBook(organizationId, day);
    expect(await closeBook(organizationId, day, before!.book, () => true)).toBe(true);
    expect(await readBook(organizationId, day)).toEqual(before);
  });
});
