import { timeOfUlid } from '../ids.ts';
import { log } from '../log.ts';
import { countMetric } from '../metrics.ts';
import { visitOrganizations } from '../organizations/visit.ts';
import { scheduledTime } from '../scheduled.ts';
import { readStageAuthorities } from '../stage-authorities.ts';
import { actionsByTime, type TimeKey, timeSortKey } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { addDays, dayOf, startOfDay } from '../time.ts';
import { createTimestampAsker } from '../timestamps/ask.ts';
import { bookClosableAt } from './book.ts';
import { closeBook, type StoreBook } from './close.ts';
import { readBook, readLastBook } from './stored-books.ts';
import { timestampBooks } from './timestamp-books.ts';

const hourMs = 3_600_000;
/** An open book is late (metric `LateBooks`) this long after its day's end. A failed closing is late at once. */
export const bookLateAfterMs = 12 * hourMs;
const parallelOrganizations = 4;

/**
 * Closes the books of days that ended at least an hour ago, and asks for missing timestamps. The later of `now` and the
 * schedule's time counts as the current time, because this machine's clock can be slow.
 */
export async function closeAllBooks(
  event: unknown,
  now: number,
  hasTime: () => boolean,
  applyDeployedSettings?: ApplyDeployedSettings,
): Promise<{ closed: number }> {
  // Throws if the event is malformed.
  const asOf = scheduledTime(event, now);
  // Changes of a deploy are recorded at `now` plus the time since `started`.
  const started = performance.now();
  const elapsed = () => Math.floor(performance.now() - started);
  const authorities = readStageAuthorities();
  const ask = createTimestampAsker(authorities);
  let [closed, late, untimed] = [0, 0, 0];
  const visit = { worker: 'close-books', concurrency: parallelOrganizations, hasTime };
  const { failed, left } = await visitOrganizations(visit, async (id) => {
    const recordedAt = now + elapsed();
    const { days, open } = await closeOpenBooks(id, recordedAt, { asOf, hasTime, applyDeployedSettings });
    closed += days.length;
    if (open !== undefined && asOf > startOfDay(addDays(open, 1)) + bookLateAfterMs) late++;
    if (authorities.length > 0) untimed += await timestampBooks(id, ask, () => asOf + elapsed(), hasTime);
  });
  log.info('books closed', { books: closed, organizations_left: left, late: late + failed });
  const isLate = asOf > startOfDay(dayOf(asOf)) + bookLateAfterMs;
  countMetric('LateBooks', late + failed + (isLate ? left : 0));
  countMetric('LateTimestamps', untimed);
  return { closed };
}

/** Records settings that the deployed release added. Only the worker passes it: commands can run other releases. */
type ApplyDeployedSettings = (organizationId: string, now: number) => Promise<void>;

type Closing = {
  /** Days that ended at least an hour before this time (epoch milliseconds) are closed. Defaults to `now`. */
  asOf?: number;
  hasTime?: () => boolean;
  applyDeployedSettings?: ApplyDeployedSettings | undefined;
  store?: StoreBook;
};

/** Closes the books of days that ended an hour before `asOf`. `open` is the first day for which time ran out. */
export async function closeOpenBooks(
  organizationId: string,
  now: number,
  { asOf = now, hasTime = () => true, applyDeployedSettings, store }: Closing = {},
): Promise<{ days: string[]; open: string | undefined }> {
  await applyDeployedSettings?.(organizationId, now);
  const days: string[] = [];
  let last = await readLastBook(organizationId);
  for (;;) {
    const day = last ? addDays(last.day, 1) : await firstDay(organizationId);
    if (day === undefined || asOf < bookClosableAt(day)) return { days, open: undefined };
    const isClosed =
      hasTime() && (await closeBook(organizationId, day, last?.book, hasTime, undefined, store));
    if (!isClosed) return { days, open: day };
    days.push(day);
    last = await readBook(organizationId, day);
  }
}

/** Returns the day of an organization's first action, or undefined if the index `byTime` does not contain it yet. */
async function firstDay(organizationId: string): Promise<string | undefined> {
  const [first] = await readRange(actionsByTime(organizationId));
  return first && dayOf(timeOfUlid(timeSortKey(first as TimeKey)));
}
