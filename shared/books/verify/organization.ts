import { addDays, startOfDay } from '../../time.ts';
import { type Book, keptLineOf } from '../book.ts';
import { checkAttached } from '../check/attached.ts';
import { checkFollows, checkKept, checkOpening, checkSignature, checkSums } from '../check/books.ts';
import { addBudgets } from '../check/budgets.ts';
import type { DayFacts, DayToCheck } from '../check/day.ts';
import { addTallies, type Report, type Tallies } from '../check/findings.ts';
import { addOdds } from '../check/odds.ts';
import { openingAmong } from '../check/operations.ts';
import { checkSecrets, recordOpening } from '../check/secrets.ts';
import { checkTables } from '../check/tables.ts';
import { authorityIn, checkTimestamp } from '../check/timestamps.ts';
import { repeatedLines } from '../check/tokens.ts';
import { addSums, noSums, type RecordSums } from '../sums.ts';
import { type DayFiles, nameOf } from './book-files.ts';
import {
  type CheckOptions,
  type CheckResults,
  newOrganizationCheck,
  type OrganizationCheck,
  type OrganizationVerdict,
  reportAt,
} from './check.ts';
import { runFinalChecks } from './final-checks.ts';
import { type CompleteDay, completeDay, type PreparedDay, prepareDays } from './prepare-days.ts';
import { type ReadTree, readTree } from './tree.ts';

/** Checks the books and records of one organization. `allDays` must be in order and not empty. */
export async function checkOrganization(
  allDays: readonly DayFiles[],
  results: CheckResults,
  options: CheckOptions,
): Promise<OrganizationVerdict> {
  const check = newOrganizationCheck(allDays[0]!.organizationId, results, options);
  const prepared = await prepareDays(check, allDays);
  let before: Book | undefined;
  for (const dayFiles of allDays) {
    const known = prepared.get(dayFiles.day);
    checkBook(check, dayFiles, before, known);
    const complete = completeDay(dayFiles);
    if (complete && known) await checkRecords(check, complete, known);
    before = dayFiles.book?.book ?? before;
  }
  await runFinalChecks(check, prepared);
  return check.verdict;
}

function checkBook(
  check: OrganizationCheck,
  dayFiles: DayFiles,
  before: Book | undefined,
  known?: PreparedDay,
) {
  const { day, records } = dayFiles;
  const { verdict, common, options, secrets } = check;
  const file = nameOf((dayFiles.book ?? records)!.path);
  const report = reportAt(check, { day, file });
  if (!dayFiles.book) {
    report.finding('book_missing', `The records of ${day} have no book.`);
    verdict.days.push({ day, isChecked: false });
    return;
  }
  const { book } = dayFiles.book;
  check.books.set(day, book);
  if (!records) report.finding('records_missing', `The book of ${day} has no records.`);
  checkFollows(book, before, report);
  checkKept(book, options.kept, report);
  checkSignature(book, records?.head, common, options.key, report);
  const opened = known && openingAmong(known.operations);
  if (opened) recordOpening(secrets, day, opened, report);
  if (known) checkOpening(book, opened, report);
  checkSecrets(secrets, book.header, records?.head.secrets, report);
  const timed =
    records && checkTimestamp(book, records.head, check.latestTimestamp, options.authorities, report);
  if (timed) check.latestTimestamp = timed.latest;
  if (timed?.verdict) check.namedAuthorities.add(authorityIn(timed.verdict));
  verdict.days.push({
    day,
    isChecked: records !== undefined,
    kept_line: keptLineOf(book),
    ...(timed?.verdict ? { timestamp: timed.verdict } : {}),
    records: book.size,
    counts: book.header.counts,
    sums: book.header.sums,
    settings: book.header.settings,
  });
}

async function checkRecords(check: OrganizationCheck, dayFiles: CompleteDay, known: PreparedDay) {
  const { day, records } = dayFiles;
  const { slices, onProgress } = check.options;
  const file = nameOf(records.path);
  const report = reportAt(check, { day, file });
  const toCheck = dayToCheck(check, dayFiles, known, report);
  await slices.all.begin(toCheck, check.files.size === 0);
  check.files.set(day, file);
  const at = (line: number, record: string) => reportAt(check, { day, file, line, record });
  const tree = await readTree(records, dayFiles.book.book.size, slices.all.check, at, onProgress);
  const facts = await slices.all.end();
  addFacts(check, facts, file);
  checkTokens(check, day, facts, (line) => reportAt(check, { day, file, line }));
  const summed = noSums();
  for (const part of facts) addSums(summed, part.summed);
  compare(dayFiles.book.book, tree, summed, report);
  checkAttached(dayFiles.book.book, records.head, summed, report);
  const now = facts.flatMap(({ operations }) => operations).sort();
  const before = known.operations.map(({ text }) => text).sort();
  if (now.join() !== before.join()) {
    report.finding('unreadable_file', 'The file changed during the check.');
  }
}

/** Reports play URLs that were played twice: both times on this day, or first on the day before. */
function checkTokens(
  check: OrganizationCheck,
  day: string,
  facts: readonly DayFacts[],
  report: (line: number) => Report,
) {
  const parts = facts.map(({ tokens }) => tokens);
  const before = check.tokens.day === addDays(day, -1) ? check.tokens.parts : [];
  for (const line of repeatedLines(parts, before)) {
    report(line).finding('play_twice', 'An earlier outcome has the same play URL.');
  }
  check.tokens = { day, parts };
}

/**
 * Checks the prize tables in a records file's first line. Returns the data for checking the day's records.
 */
function dayToCheck(
  check: OrganizationCheck,
  { day, book: { book }, records: { head } }: CompleteDay,
  { gaps, gaplessSince, whole, rounds, timeline, holds }: PreparedDay,
  report: Report,
): DayToCheck {
  const { verdict } = check;
  checkTables(head.tables, report);
  Object.assign(verdict.tables, head.tables);
  return {
    organizationId: verdict.organization_id,
    day,
    stage: book.header.stage,
    start: startOfDay(day),
    end: startOfDay(addDays(day, 1)),
    gaps,
    gaplessSince,
    whole,
    rounds,
    usedRounds: check.usedRounds,
    checkpoints: check.checkpoints,
    secrets: { ...head.secrets, ...book.header.secrets },
    tables: head.tables,
    timeline,
    holds,
  };
}

function addFacts(check: OrganizationCheck, facts: DayFacts[], file: string) {
  const { results, budgets, verdict } = check;
  const { organization_id } = verdict;
  const inOrganization = <C extends string>(tallies: Tallies<C>): Tallies<C> =>
    new Map(
      [...tallies].map(([code, { count, first }]) => [
        code,
        { count, first: first.map((finding) => ({ organization_id, file, ...finding })) },
      ]),
    );
  addTallies(
    results.findings,
    facts.map(({ findings }) => inOrganization(findings)),
  );
  addTallies(
    results.notices,
    facts.map(({ notices }) => inOrganization(notices)),
  );
  for (const part of facts) {
    addBudgets(budgets, part.budgets);
    check.adjusted.push(...part.adjusted);
    addOdds(verdict.odds, part.odds);
  }
}

function compare(book: Book, { size, root, fault }: ReadTree, summed: RecordSums, report: Report) {
  if (fault === 'cut_off') report.finding('cut_off', 'The last line is incomplete.');
  if (fault === 'too_large') report.finding('too_large', 'A line is longer than any valid record.');
  if (size !== book.size) {
    const atLeast = fault === 'too_many_lines' ? 'at least ' : '';
    report.finding(
      'record_count_differs',
      `The file has ${atLeast}${size} records; the book says ${book.size}.`,
    );
  }
  if (!root.equals(book.root))
    report.finding('root_differs', 'The Merkle root of the records differs from the one in the book.');
  checkSums(book, summed, report);
}
