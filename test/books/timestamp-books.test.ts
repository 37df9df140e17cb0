import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localAuthority, timestampResponse } from '../../infra/develop/local/authority.ts';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { verifyBookFiles } from '../../shared/books/check/verify.ts';
import { closeAllBooks } from '../../shared/books/close-all.ts';
import { writeBookFiles } from '../../shared/books/export.ts';
import { readBook, readBooks, storeBookTimestamp } from '../../shared/books/stored-books.ts';
import { timestampBooks } from '../../shared/books/timestamp-books.ts';
import { bookKey } from '../../shared/table/book-keys.ts';
import { isoOf, startOfDay } from '../../shared/time.ts';
import { checkTimestampToken } from '../../shared/timestamps/token.ts';
import { startAuthority, tokenForDigest } from '../support/authority.ts';
import { useOwnTable } from '../support/own-table.ts';
import { itemAt, store } from '../table/support/raw-items.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = startOfDay('2031-05-06');
let organizationId: string;
let now: number;
/** Milliseconds by which the authority's clock is fast. */
let fastMs: number;
let isOut: boolean;
let authority: Awaited<ReturnType<typeof startAuthority>>;
let counted: Record<string, number>;

beforeEach(async () => {
  await useOwnTable('timestamps');
  isOut = false;
  fastMs = 0;
  authority = await startAuthority((request, response) => {
    if (isOut) response.writeHead(503).end();
    else response.end(timestampResponse(request, now + fastMs));
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
  (await readBooks(organizationId)).map(({ timestamp, book }) => {
    if (!timestamp) return undefined;
    const { at } = checkTimestampToken(timestamp.token, book.noteDigest, [timestamp.root]);
    return Math.floor((at - start) / hour);
  });

/** Returns the codes of what an outsider's check of all books finds. */
async function foundByOutsiders() {
  const folder = mkdtempSync(join(tmpdir(), 'timestamps-'));
  const files = [];
  for (const book of await readBooks(organizationId))
    files.push(...(await writeBookFiles(organizationId, book, folder)));
  const { findings } = await verifyBookFiles(files, { kept: [] });
  rmSync(folder, { recursive: true });
  return findings.map(({ code }) => code);
}

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

test('a timestamp from before the book could be closed, which would accuse the operator, is refused', async () => {
  fastMs = -minute - 1;
  await run(start + 25 * hour);
  expect(await hoursOfTimestamps()).toEqual([undefined]);
  fastMs = -minute;
  await run(start + 25 * hour);
  expect(await hoursOfTimestamps()).toEqual([24]);
  expect(await foundByOutsiders()).toEqual([]);
});

test('a timestamp from before the one of an earlier book is refused, so that the next run gets a better one', async () => {
  isOut = true;
  await run(start + 26 * hour);
  isOut = false;
  fastMs = 2 * minute;
  await run(start + 49 * hour - minute);
  fastMs = -1;
  await run(start + 49 * hour);
  expect(await hoursOfTimestamps()).toEqual([49, undefined]);
  fastMs = 0;
  await run(start + 49 * hour);
  expect(await hoursOfTimestamps()).toEqual([49, 49]);
  expect(await foundByOutsiders()).toEqual([]);
});

test('a run whose timestamp is too late to be stored leaves the other books to the run that was faster', async () => {
  isOut = true;
  await run(start + 50 * hour);
  const first = (await readBook(organizationId, '2031-05-06'))!;
  const root = localAuthority.root.certificate.raw;
  const asked = vi.fn(async (digest: Uint8Array) => {
    const faster = tokenForDigest(digest, start + 51 * hour);
    await storeBookTimestamp(organizationId, first, { token: faster, root });
    return { token: tokenForDigest(digest, start + 50 * hour), root };
  });
  await timestampBooks(
    organizationId,
    asked,
    () => start + 50 * hour,
    () => true,
  );
  expect(asked).toHaveBeenCalledTimes(1);
  expect(await hoursOfTimestamps()).toEqual([51, undefined]);
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
