/** Tests that a book never contains records that an attacker without the KMS keys has added to the table. */
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { credit } from '../../shared/accounts/ledger.ts';
import { append } from '../../shared/accounts/records.ts';
import { readUser } from '../../shared/accounts/user.ts';
import { attachedTo } from '../../shared/books/attached.ts';
import { closeBook } from '../../shared/books/close.ts';
import { closeBooks } from '../../shared/books/close-all.ts';
import { leafOf } from '../../shared/books/leaf-line.ts';
import { recordsOfDay } from '../../shared/books/records-of-day.ts';
import { readBook } from '../../shared/books/stored-books.ts';
import { addLeaf, noSums } from '../../shared/books/sums.ts';
import { tilesFrom } from '../../shared/books/tiles.ts';
import { leafHash } from '../../shared/books/tree.ts';
import { canonicalJson, ulidAfter } from '../../shared/ids.ts';
import { stageBeacon } from '../../shared/stage-beacon.ts';
import { bookKey, closingKey } from '../../shared/table/book-keys.ts';
import { client, type Item, tableName } from '../../shared/table/client.ts';
import { beaconRoundKey, type Key, operationTimeKey, timeSortKey } from '../../shared/table/keys.ts';
import { Tampered } from '../../shared/table/seals.ts';
import { dayOf } from '../../shared/time.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { counted } from '../support/counted.ts';
import { newOutcome } from '../support/records.ts';

const now = Date.now();
const day = dayOf(now);
const dayMs = 24 * 3_600_000;

let api: Api;
let userId: string;
beforeEach(async () => {
  api = await newOrganization();
  userId = await api.user(5);
});

const put = (Item: Item) => client.send(new PutCommand({ TableName: tableName(), Item }));
const remove = ({ pk, sk }: Key) =>
  client.send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));

/** Returns five wins of $100 that continue the user's history, without seals. */
async function wins() {
  let user = await readUser(api.organizationId, userId);
  const win = { ...newOutcome(new Date(now).toISOString()), prize: { cash_usd: 100 }, prize_id: 'cash-100' };
  return times(5, (i) => {
    const added = append(user, { ...win, game_status: 'Cash' }, now + i);
    user = added.user;
    return added.record;
  });
}

async function bookedRecords(): Promise<Item[]> {
  const found: Item[] = [];
  for await (const record of recordsOfDay(api.organizationId, day)) found.push(record);
  return found;
}

/** Returns the number of alarms for tampered items during `run`. */
const alarmsDuring = async (run: () => Promise<unknown>) => (await counted('TamperedItems', run)).length;

const close = (hasTime = () => true, perSave?: number) =>
  closeBook(api.organizationId, day, undefined, hasTime, perSave);

/** Expects the book to contain these records, and no cash. */
async function expectBook(genuine: Item[]) {
  const { book } = (await readBook(api.organizationId, day))!;
  const tree = tilesFrom();
  for (const record of genuine)
    tree.add(leafHash(canonicalJson(leafOf(record))), timeSortKey(record as never));
  expect(book.header.sums.cash_usd).toBe(0);
  expect([book.size, Buffer.from(book.root)]).toEqual([genuine.length, Buffer.from(tree.finish().root)]);
}

test('planted wins are not in the book, and raise an alarm', async () => {
  const genuine = await bookedRecords();
  expect(await alarmsDuring(close)).toBe(0);
  await remove(bookKey(api.organizationId, day));
  for (const win of await wins()) await put(win);
  expect(await alarmsDuring(close)).toBe(5);
  await expectBook(genuine);
});

test('nor with progress of a closing that somebody has made up', async () => {
  const genuine = await bookedRecords();
  const planted = await wins();
  for (const win of planted) await put(win);
  const summed = noSums();
  const tree = tilesFrom();
  const all = [...genuine, ...planted];
  for (const record of all) {
    tree.add(leafHash(canonicalJson(leafOf(record))), timeSortKey(record as never));
    addLeaf(summed, leafOf(record));
  }
  const sets = { rounds: [], secretDays: [...summed.secretDays], tables: [...summed.tables] };
  const after = timeSortKey(all.at(-1) as never);
  const progress = {
    after,
    size: all.length,
    tiles: tree.state(),
    settings: {},
    summed: { ...summed, ...sets },
  };
  await put({ ...closingKey(api.organizationId, day), ...progress });
  expect(await alarmsDuring(close)).toBe(6);
  await expectBook(genuine);
});

test('nor if the closing stops in the middle', async () => {
  const genuine = await bookedRecords();
  for (const win of await wins()) await put(win);
  // The process ends after the first save, as a function does at its timeout.
  const dies = () => {
    throw new Error('the process ended');
  };
  const first = await alarmsDuring(() => expect(close(dies, 1)).rejects.toThrow('the process ended'));
  const second = await alarmsDuring(() => close(() => true, 1));
  expect([first > 0, second > 0]).toEqual([true, true]);
  await expectBook(genuine);
});

test('nor in place of records of the user that somebody has deleted', async () => {
  const before = await bookedRecords();
  const change = (key: string) => ({ amount: 9, description: '', idempotency_key: key });
  const planted = await wins();
  for (const key of times(5, String)) {
    await credit({
      organizationId: api.organizationId,
      userId,
      account: 'tickets',
      change: change(key),
      now,
    });
  }
  const known = new Set(before.map(({ sk }) => sk));
  const own = (await bookedRecords()).filter(({ sk }) => !known.has(sk));
  expect(own).toHaveLength(5);
  for (const record of own) await remove(record as Key);
  for (const win of planted) await put(win);
  expect(await alarmsDuring(close)).toBe(5);
  await expectBook(before);
});

test('the first book is of the day of the first genuine operation', async () => {
  const earlier = ulidAfter(undefined, now - 5 * dayMs, 'planted');
  const operation = { pk: 'USER#x#y', sk: 'z', ...operationTimeKey(api.organizationId, earlier) };
  await put(operation);
  const { days } = await closeBooks(api.organizationId, now + 2 * dayMs);
  expect(days[0]).toBe(day);
});

test('no book follows from a beacon round that somebody has changed', async () => {
  const round = { ...beaconRoundKey(stageBeacon()!.chain, 7), signature: '00', of: {} };
  await put(round);
  const named = { ...noSums(), rounds: new Set([7]) };
  await expect(attachedTo(api.organizationId, day, named, [])).rejects.toThrow(Tampered);
  await remove(round);
});
