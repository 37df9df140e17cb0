import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerOf } from '../../infra/develop/local/authority.ts';
import { closeAllBooks } from '../../shared/books/close-all.ts';
import { allBooks, readBook } from '../../shared/books/stored-books.ts';
import { createOrganization } from '../../shared/operations/create-organization.ts';
import { bookKey } from '../../shared/table/book-keys.ts';
import { isoOf, startOfDay } from '../../shared/time.ts';
import { checkToken } from '../../shared/timestamps/token.ts';
import { startAuthority } from '../support/authority.ts';
import { useOwnTable } from '../support/own-table.ts';
import { itemAt, store } from '../table/support/raw-items.ts';

const hour = 3_600_000;
const start = startOfDay('2031-05-06');
let organizationId: string;
let now: number;
let isOut: boolean;
let authority: Awaited<ReturnType<typeof startAuthority>>;
let counted: Record<string, number>;

beforeEach(async () => {
  await useOwnTable('timestamps');
  isOut = false;
  authority = await startAuthority((request, response) => {
    if (isOut) response.writeHead(503).end();
    else response.end(answerOf(request, now));
  });
  vi.stubEnv('TIMESTAMP_AUTHORITIES', JSON.stringify([authority.setting]));
  vi.stubEnv('METRICS_NAMESPACE', 'test');
  vi.spyOn(console, 'log').mockImplementation((line) => {
    const { LateTimestamps } = JSON.parse(String(line));
    if (LateTimestamps !== undefined) counted = { LateTimestamps };
  });
  const context = { operator: 'test', now: start + hour };
  organizationId = (await createOrganization('Books', 'local', context)).organization_id;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await authority.close();
});

async function run(at: number) {
  now = at;
  await closeAllBooks({ now: isoOf(at) }, at, () => true);
  return counted.LateTimestamps;
}
/** Returns the hours from the start of the first day to each book's timestamp, or undefined without one. */
const hoursOfTimestamps = async () =>
  (await allBooks(organizationId)).map(({ timestamp, book }) => {
    if (!timestamp) return undefined;
    const { at } = checkToken(timestamp.token, book.noteDigest, [timestamp.root]);
    return Math.floor((at - start) / hour);
  });

test('a closed book gets a timestamp once', async () => {
  expect(await run(start + 26 * hour)).toBe(0);
  expect(await hoursOfTimestamps()).toEqual([26]);
  const { timestamp } = (await readBook(organizationId, '2031-05-06'))!;
  await run(start + 32 * hour);
  expect((await readBook(organizationId, '2031-05-06'))!.timestamp).toEqual(timestamp);
  expect(authority.requests).toHaveLength(1);
});

test('missing timestamps are asked for again in the order of the books, and operators are alarmed', async () => {
  isOut = true;
  // An alarm is due 12 hours after 01:00, when the book could be closed. The clock runs on during a run, so the first
  // run begins a minute before this time.
  expect(await run(start + 37 * hour - 60_000)).toBe(0);
  expect(await run(start + 37 * hour + 1)).toBe(1);
  expect(await run(start + 51 * hour)).toBe(1);
  expect(await hoursOfTimestamps()).toEqual([undefined, undefined]);
  // The service requests no timestamp for the second book while the first book has none.
  expect(authority.requests).toHaveLength(3);
  isOut = false;
  expect(await run(start + 56 * hour)).toBe(0);
  expect(await hoursOfTimestamps()).toEqual([56, 56]);
});

test('a book that somebody restored without its timestamp gets no later one, which would accuse the operator', async () => {
  isOut = true;
  await run(start + 26 * hour);
  const withoutTimestamp = await itemAt(bookKey(organizationId, '2031-05-06'));
  isOut = false;
  await run(start + 50 * hour);
  await store(withoutTimestamp);
  expect(await run(start + 51 * hour)).toBe(1);
  expect(await hoursOfTimestamps()).toEqual([undefined, 50]);
});

test('a book older than a week is no longer asked for', async () => {
  isOut = true;
  await run(start + 26 * hour);
  isOut = false;
  await run(start + 9 * 24 * hour + 2 * hour);
  const [first, second, ...others] = await hoursOfTimestamps();
  expect([first, second]).toEqual([undefined, undefined]);
  expect(others).toEqual(Array(7).fill(9 * 24 + 2));
});

test('a stage without authorities has no timestamps and no alarm', async () => {
  vi.stubEnv('TIMESTAMP_AUTHORITIES', '[]');
  expect(await run(start + 60 * hour)).toBe(0);
  expect(await hoursOfTimestamps()).toEqual([undefined, undefined]);
});
