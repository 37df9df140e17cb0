/** Checks closed books with the code that outsiders use, so that the operator learns of a fault first. */
import { log } from '../log.ts';
import { countMetric } from '../metrics.ts';
import { visitOrganizations } from '../organizations/visit.ts';
import { readStageAuthorities } from '../stage-authorities.ts';
import { bookCheckKey, bookChecksOf } from '../table/book-keys.ts';
import { type Item, putItem } from '../table/client.ts';
import { readRange } from '../table/ranges.ts';
import { inTemporaryFolder } from '../temporary-folder.ts';
import { addDays, isoOf, startOfDay } from '../time.ts';
import { keptLineOf } from './book.ts';
import { verifyBookFiles } from './check/verify.ts';
import { writeBookFiles } from './export.ts';
import { readBooks, type StoredBook } from './stored-books.ts';

type BookCheck = {
  day: string;
  checked_at: string;
  /** The book's kept line (`keptLineOf`), so that the next check notices a replaced book. */
  kept_line: string;
  /** The verifier key of the organization's first checked book, so that every later check notices another key. */
  key: string;
  findings: Record<string, number>;
};

const dayMs = 86_400_000;
/** An unchecked book is late (metric `UncheckedBooks`) if a run has no time for it this long after its day. */
export const bookCheckLateAfterMs = 2 * dayMs;
/** Checks one organization at a time, because a large book takes up most of a function's memory and disk. */
const concurrency = 1;

/** Minimum remaining milliseconds to start a check, because a check cannot be interrupted. */
const checkMs = 600_000;
/** Minimum remaining milliseconds to visit an organization. Below `checkMs`, visits only look for late books. */
const reserveMs = 30_000;

/** Checks all organizations' unchecked books while enough time remains. Throws at the end if a check failed. */
export async function checkAllBooks(
  now: number,
  remainingMs: () => number,
): Promise<{ checked: number; findings: number; late: number }> {
  let [checked, findings, late] = [0, 0, 0];
  const visit = { worker: 'check-books', concurrency, hasTime: () => remainingMs() > reserveMs };
  const canCheck = () => remainingMs() > checkMs;
  const { failed, left } = await visitOrganizations(visit, async (organizationId) => {
    for await (const check of checkBooks(organizationId, now, canCheck)) {
      if (check === 'late') late++;
      else {
        checked++;
        findings += sum(check.findings);
      }
    }
  });
  log.info('books checked', { books: checked, findings, organizations_left: left, late });
  countMetric('UncheckedBooks', late);
  if (failed > 0) throw new Error(`books of ${failed} organizations could not be checked`);
  return { checked, findings, late };
}

export const checkResultOf = ({ findings }: BookCheck): string =>
  Object.entries(findings)
    .map(([code, number]) => `${number} ${code}`)
    .join(', ') || 'good';

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

/** Checks an organization's books in order. If time runs out, yields `late` if the next book is late, and stops. */
async function* checkBooks(
  organizationId: string,
  now: number,
  canCheck: () => boolean,
): AsyncGenerator<BookCheck | 'late', undefined> {
  const newest = { limit: 1, newestFirst: true, consistent: true };
  const [stored] = await readRange(bookChecksOf(organizationId), newest);
  let last = stored && checkIn(stored);
  const books = await readBooks(organizationId, last && addDays(last.day, -1));
  for (const [i, book] of books.entries()) {
    if (last && book.day <= last.day) continue;
    if (!canCheck()) {
      if (startOfDay(addDays(book.day, 1)) + bookCheckLateAfterMs < now) yield 'late';
      return undefined;
    }
    // A check needs orders and settings from the book of the day before, and a fingerprint from the book of two days
    // before.
    const given = books.slice(Math.max(0, i - 1), i + 1);
    last = await checkBook(organizationId, given, books[i - 2]?.book.header.fingerprints, last, now);
    yield last;
  }
}

/** Checks the last of `books` with the help of the others, and stores the result. */
async function checkBook(
  organizationId: string,
  books: readonly StoredBook[],
  fingerprints: Record<string, string> | undefined,
  last: BookCheck | undefined,
  now: number,
): Promise<BookCheck> {
  const { day, book, key } = books.at(-1)!;
  const authorities = readStageAuthorities().map(({ root }) => root);
  const { findings } = await inTemporaryFolder(async (folder) => {
    const files = [];
    for (const one of books) files.push(...(await writeBookFiles(organizationId, one, folder)));
    return verifyBookFiles(files, {
      ...(last ? { key: last.key, kept: [last.kept_line] } : { kept: [] }),
      fingerprints,
      authorities: authorities.length > 0 ? authorities : undefined,
    });
  });
  const check: BookCheck = {
    day,
    checked_at: isoOf(now),
    kept_line: keptLineOf(book),
    key: last?.key ?? key,
    findings: Object.fromEntries(findings.map(({ code, count }) => [code, count])),
  };
  if (findings.length > 0) {
    // Before the check is stored, because a stored check is not repeated.
    countMetric('BookFindings', sum(check.findings));
    log.warn('a book has findings', { organization_id: organizationId, day, findings: checkResultOf(check) });
  }
  const { day: _, ...attributes } = check;
  await putItem({ ...bookCheckKey(organizationId, day), ...attributes });
  return check;
}

const checkIn = ({ sk, ...item }: Item): BookCheck => ({ ...item, day: String(sk) }) as BookCheck;

export async function readBookChecks(organizationId: string): Promise<BookCheck[]> {
  return (await readRange(bookChecksOf(organizationId))).map(checkIn);
}
