/** Closes all books that are due. */
import { timeOfUlid } from '../ids.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { allOrganizations } from '../organizations/organizations.ts';
import { asOfSchedule } from '../scheduled.ts';
import { shuffled } from '../shuffled.ts';
import { operationsByTime, type TimeKey, timeSortKey } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { addDays, dayOf, startOfDay } from '../time.ts';
import { closeBook, type Keep } from './close.ts';
import { lastBook, readBook } from './stored-books.ts';

const hourMs = 3_600_000;
/** A day is closed when it has been over for so long that nothing of it is under way any more. */
const closedAfterMs = hourMs;
const lateAfterMs = 12 * hourMs;
/** One that takes long holds up no more than a few. */
const atOnce = 4;

/**
 * Closes the books of all organizations and days that are over by now (epoch milliseconds), or by the time of the
 * schedule's event, which a clock of ours may not have reached. Throws for an event that is not a schedule's.
 */
export async function closeAllBooks(
  event: unknown,
  now: number,
  goOn: () => boolean,
  recordDeploy?: RecordDeploy,
): Promise<{ closed: number }> {
  const asOf = asOfSchedule(event, now);
  // In any order: what there is no time for today is not the same every day.
  const waiting = shuffled(await allOrganizations());
  // What is recorded has the time at which it is.
  const started = performance.now();
  let [closed, late] = [0, 0];
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined && goOn(); id = waiting.pop()) {
      const recordedAt = now + Math.floor(performance.now() - started);
      try {
        const { days, open } = await closeBooks(id, recordedAt, { asOf, goOn, recordDeploy });
        closed += days.length;
        if (open !== undefined && asOf > startOfDay(addDays(open, 1)) + lateAfterMs) late++;
      } catch (error) {
        log.failure('close-books', error, { organization_id: id });
        late++;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  log.info('books closed', { books: closed, organizations_left: waiting.length, late });
  const isLate = asOf > startOfDay(dayOf(asOf)) + lateAfterMs;
  count('LateBooks', late + (isLate ? waiting.length : 0));
  return { closed };
}

/** Records what a deploy has changed for an organization. Only deployed code in its own environment can tell. */
export type RecordDeploy = (organizationId: string, now: number) => Promise<void>;

type Closing = {
  /** Until when days are over. */
  asOf?: number;
  /** Whether there is time for more. */
  goOn?: () => boolean;
  /** How a deploy's changes are recorded, if at all. */
  recordDeploy?: RecordDeploy | undefined;
  /** How a book is kept, if not by itself. */
  keep?: Keep;
};

/**
 * Closes an organization's books of the days that are over by `asOf`, once what a deploy has changed is
 * recorded. Returns the days that it closed, and the first one that is over and still open, if there was no
 * time for all.
 */
export async function closeBooks(
  organizationId: string,
  now: number,
  { asOf = now, goOn = () => true, recordDeploy, keep }: Closing = {},
): Promise<{ days: string[]; open: string | undefined }> {
  await recordDeploy?.(organizationId, now);
  const days: string[] = [];
  let last = await lastBook(organizationId);
  for (;;) {
    const day = last ? addDays(last.day, 1) : await firstDay(organizationId);
    if (day === undefined || asOf < startOfDay(addDays(day, 1)) + closedAfterMs)
      return { days, open: undefined };
    const isClosed = goOn() && (await closeBook(organizationId, day, last?.book, goOn, undefined, keep));
    if (!isClosed) return { days, open: day };
    days.push(day);
    last = await readBook(organizationId, day);
  }
}

/** The day of an organization's first operation, with which its books begin; undefined while the index lags. */
async function firstDay(organizationId: string): Promise<string | undefined> {
  const [first] = await readRange(operationsByTime(organizationId), { limit: 1 });
  return first && dayOf(timeOfUlid(timeSortKey(first as TimeKey)));
}
