import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { listBooks } from '../../infra/operate/admin/books.ts';
import { credit } from '../../shared/accounts/ledger.ts';
import { createUser } from '../../shared/accounts/references.ts';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { checkAllBooks } from '../../shared/books/check-all.ts';
import { closeOpenBooks } from '../../shared/books/close-all.ts';
import { bookClosingKey, bookKey } from '../../shared/table/book-keys.ts';
import { getItem, putItem, tableClient, tableName } from '../../shared/table/client.ts';
import { recordsOfUser } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { startOfDay } from '../../shared/time.ts';
import { type Call, watchingCalls } from '../support/calls.ts';
import { counted } from '../support/counted.ts';
import { useOwnTable } from '../support/own-table.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = startOfDay('2031-05-06');
const second = '2031-05-07';
const always = () => 900_000;
let organizationId: string;
let userId: string;

const creditAt = (now: number) => {
  const change = { amount: 5, description: '', idempotency_key: `at-${now}` };
  return credit({ organizationId, userId, account: 'tickets', change, now });
};
const closeUntil = (now: number) => closeOpenBooks(organizationId, now);
const resultsOf = async () => (await listBooks(organizationId)).books.map(({ check }) => check);

beforeEach(async () => {
  await useOwnTable('check-books');
  const context = { operator: 'test', now: start + hour };
  organizationId = (await createOrganization('Books', 'local', context)).organization_id;
  userId = (await createUser(organizationId, 'anna', start + hour)).user_id;
  await creditAt(start + 2 * hour);
  await creditAt(start + 2 * hour + day);
  await closeUntil(start + 2 * day + 2 * hour);
});

/** Doubles the amount of one of the user's credits. Each day has one credit, so `index` is the day, from 0. */
async function double(index: number) {
  const credits = await readRange(recordsOfUser(organizationId, userId, 'tickets'));
  await putItem({ ...credits[index], amount: 10, balance_after: 10 + 5 * index });
}

test('each closed book is checked once', async () => {
  expect(await resultsOf()).toEqual(['not yet', 'not yet']);
  const now = start + 2 * day + 3 * hour;
  expect(await checkAllBooks(now, always)).toEqual({ checked: 2, findings: 0, late: 0 });
  expect(await checkAllBooks(now, always)).toEqual({ checked: 0, findings: 0, late: 0 });
  expect(await resultsOf()).toEqual(['good', 'good']);
  await creditAt(start + 2 * day + 4 * hour);
  await closeUntil(start + 3 * day + 2 * hour);
  expect(await checkAllBooks(start + 3 * day + 3 * hour, always)).toMatchObject({ checked: 1, findings: 0 });
  expect(await resultsOf()).toEqual(['good', 'good', 'good']);
});

test('a record that was changed after its book was closed is found', async () => {
  await double(1);
  const check = () => checkAllBooks(start + 3 * day, always);
  let stored = 0;
  // Ends the first run before it stores the second book's check.
  const kill = ({ operation }: Call) =>
    operation === 'PutItem' && stored++ > 0 ? { instead: new Error('killed') } : undefined;
  for (const run of [() => expect(watchingCalls(tableClient, check, kill)).rejects.toThrow(), check])
    expect(await counted('BookFindings', run)).toEqual([expect.toSatisfy((findings) => findings > 0)]);
  expect(await resultsOf()).toEqual(['good', expect.stringContaining('1 records_differ')]);
});

test('a checked book that is replaced later is found with the next book', async () => {
  await checkAllBooks(start + 2 * day + 3 * hour, always);
  // An operator who has the key that signs books doubles a credit and closes its day again.
  await double(1);
  for (const Key of [bookKey(organizationId, second), bookClosingKey(organizationId, second)])
    await tableClient.send(new DeleteCommand({ TableName: tableName(), Key }));
  await closeUntil(start + 2 * day + 5 * hour);
  await closeUntil(start + 3 * day + 2 * hour);
  await checkAllBooks(start + 3 * day + 3 * hour, always);
  expect(await resultsOf()).toEqual(['good', 'good', expect.stringContaining('1 not_the_kept_book')]);
});

test('a secret that is not the one whose fingerprint a book published two days before is found', async () => {
  await checkAllBooks(start + 2 * day + 3 * hour, always);
  const key = bookKey(organizationId, '2031-05-06');
  const book = (await getItem(key))!;
  const [, fingerprint = ''] = /"2031-05-08":"([0-9a-f]{64})"/.exec(String(book.note))!;
  await putItem({ ...book, note: String(book.note).replace(fingerprint, '0'.repeat(64)) });
  await creditAt(start + 2 * day + 4 * hour);
  await closeUntil(start + 3 * day + 2 * hour);
  await checkAllBooks(start + 3 * day + 3 * hour, always);
  expect((await resultsOf()).at(-1)).toContain('1 secret_not_as_published');
});

test('a book that waits for its check for two days is late', async () => {
  const tooShortForCheck = () => 100_000;
  const lateAt = (now: number) => counted('UncheckedBooks', () => checkAllBooks(now, tooShortForCheck));
  expect(await lateAt(start + 3 * day)).toEqual([0]);
  expect(await lateAt(start + 3 * day + 1)).toEqual([1]);
  expect(await resultsOf()).toEqual(['not yet', 'not yet']);
});
