import { retry } from '../retry.ts';
import { addDays, dayOf } from '../time.ts';
import type { AskForTimestamp } from '../timestamps/ask.ts';
import { checkTimestampToken } from '../timestamps/token.ts';
import { bookClosableAt, maxTimestampSkewMs, timestampLateAfterMs } from './book.ts';
import { readBooks, type StoredBook, storeBookTimestamp } from './stored-books.ts';

/** Days for which timestamps are requested. A later one would prove little about when a book existed. */
const timestampDays = 7;

/** Asks for the timestamps of an organization's books that have none. Returns the number of late books without one. */
export async function timestampBooks(
  organizationId: string,
  ask: AskForTimestamp,
  /** Returns the present in epoch milliseconds. */
  now: () => number,
  hasTime: () => boolean,
): Promise<number> {
  const books = await readBooks(organizationId, addDays(dayOf(now()), -timestampDays));
  const open = new Set(books.filter(({ timestamp }) => !timestamp));
  // Timestamps must be in the order of the books. So this asks for the oldest first, stops at the first failure, and
  // skips books before the last one with a timestamp: theirs were removed from the table.
  const waiting = books.slice(books.findLastIndex(({ timestamp }) => timestamp) + 1);
  let latest = waiting.length > 0 ? Math.max(0, ...books.map(timeOf)) : 0;
  for (const next of waiting) {
    if (!hasTime()) break;
    const earliest = Math.max(bookClosableAt(next.day), latest) - maxTimestampSkewMs;
    const timestamp = await ask(next.book.noteDigest, now(), earliest);
    if (!timestamp) break;
    const isStored = await retry(() => storeBookTimestamp(organizationId, next, timestamp));
    open.delete(next);
    // A concurrent run has stored another timestamp, which stands, and continues with the next book.
    if (!isStored) break;
    latest = Math.max(latest, timeOf({ ...next, timestamp }));
  }
  return [...open].filter(({ day }) => now() > bookClosableAt(day) + timestampLateAfterMs).length;
}

/** Returns the time of a book's timestamp in epoch milliseconds, or 0 without a valid timestamp. */
function timeOf({ book, timestamp }: StoredBook): number {
  if (!timestamp) return 0;
  try {
    return checkTimestampToken(timestamp.token, book.noteDigest, [timestamp.root]).at;
  } catch {
    return 0;
  }
}
