/** The check of an organization's books with their records, day by day. */

import { type Book, keptLineOf } from '../../shared/books/book.ts';
import { checkAttached, checkBeacons } from '../../shared/books/check/attached.ts';
import {
  checkFollows,
  checkKept,
  checkOpening,
  checkSignature,
  checkSums,
} from '../../shared/books/check/books.ts';
import { addCash } from '../../shared/books/check/cash.ts';
import type { DayFacts, DayToCheck } from '../../shared/books/check/day.ts';
import { addTallies, type Report, type Tallies } from '../../shared/books/check/findings.ts';
import { addOdds } from '../../shared/books/check/odds.ts';
import { openingAmong } from '../../shared/books/check/operations.ts';
import { addRounds } from '../../shared/books/check/rounds.ts';
import { checkSecrets, noteOpening } from '../../shared/books/check/secrets.ts';
import { addStock } from '../../shared/books/check/stock.ts';
import { checkTables } from '../../shared/books/check/tables.ts';
import { addSums, noSums, type Summed } from '../../shared/books/sums.ts';
import { addDays, startOfDay } from '../../shared/time.ts';
import {
  type Asked,
  type Found,
  newOrganizationCheck,
  type OrganizationCheck,
  type OrganizationVerdict,
  reportAt,
} from './check.ts';
import { type Complete, completed, type Prepared, prepareDays } from './runs.ts';
import { settleAccounts } from './settling.ts';
import { type ReadTree, readTree } from './tree.ts';
import { nameOf, type Volume } from './volumes.ts';

/** Checks the books of an organization, in the order of their days. */
export async function checkOrganization(
  volumes: readonly Volume[],
  found: Found,
  asked: Asked,
): Promise<OrganizationVerdict> {
  const check = newOrganizationCheck(volumes[0]!.organizationId, found, asked);
  const prepared = await prepareDays(check, volumes);
  let before: Book | undefined;
  for (const volume of volumes) {
    const known = prepared.get(volume.day);
    checkBook(check, volume, before, known);
    const complete = completed(volume);
    if (complete && known) await checkRecords(check, complete, known);
    before = volume.book?.book ?? before;
  }
  await settleAccounts(check, prepared);
  return check.verdict;
}

function checkBook(check: OrganizationCheck, volume: Volume, before: Book | undefined, known?: Prepared) {
  const { day, records } = volume;
  const { verdict, common, asked, secrets } = check;
  const file = nameOf((volume.book ?? records)!.path);
  const report = reportAt(check, { day, file });
  if (!volume.book) {
    report.finding('book_missing', `There is no book beside these records of ${day}.`);
    verdict.days.push({ day, isChecked: false });
    return;
  }
  const { book } = volume.book;
  check.books.set(day, book);
  if (!records) report.finding('records_missing', `There are no records beside this book of ${day}.`);
  checkFollows(book, before, report);
  checkKept(book, asked.kept, report);
  checkSignature(book, records?.head, common, asked.key, report);
  const opened = known && openingAmong(known.operations);
  if (opened) noteOpening(secrets, day, opened, report);
  if (known) checkOpening(book, opened, report);
  checkSecrets(secrets, book.header, records?.head.secrets, report);
  verdict.days.push({
    day,
    isChecked: records !== undefined,
    kept_line: keptLineOf(book),
    records: book.size,
    counts: book.header.counts,
    sums: book.header.sums,
    settings: book.header.settings,
  });
}

async function checkRecords(check: OrganizationCheck, volume: Complete, known: Prepared) {
  const { day, records } = volume;
  const { shares, onProgress } = check.asked;
  const file = nameOf(records.path);
  const report = reportAt(check, { day, file });
  const toCheck = dayToCheck(check, volume, known, report);
  await shares.all.begin(toCheck, check.files.size === 0);
  check.files.set(day, file);
  const at = (line: number, record: string) => reportAt(check, { day, file, line, record });
  const tree = await readTree(records, shares.all.check, at, onProgress);
  const facts = await shares.all.end();
  addFacts(check, facts, file);
  const summed = noSums();
  for (const part of facts) addSums(summed, part.summed);
  compare(volume.book.book, tree, summed, report);
  checkAttached(volume.book.book, records.head, summed, report);
  const now = facts.flatMap(({ operations }) => operations).sort();
  const before = known.operations.map(({ text }) => text).sort();
  if (now.join() !== before.join()) {
    report.finding('unreadable_file', 'It changed while it was read.');
  }
}

/** Checks what is said ahead of a day's records, and returns what they are checked against. */
function dayToCheck(
  check: OrganizationCheck,
  { day, book: { book }, records: { head } }: Complete,
  { run, runStart, whole, timeline, holds }: Prepared,
  report: Report,
): DayToCheck {
  const { verdict, common } = check;
  checkTables(head.tables, report);
  Object.assign(verdict.tables, head.tables);
  return {
    organizationId: verdict.organization_id,
    day,
    start: startOfDay(day),
    end: startOfDay(addDays(day, 1)),
    run,
    runStart,
    whole,
    rounds: checkBeacons(book, head, common, report),
    secrets: { ...head.secrets, ...book.header.secrets },
    tables: head.tables,
    timeline,
    holds,
  };
}

function addFacts(check: OrganizationCheck, facts: DayFacts[], file: string) {
  const { found, cash, stock, decided, verdict } = check;
  const { organization_id } = verdict;
  const here = <C extends string>(tallies: Tallies<C>): Tallies<C> =>
    new Map(
      [...tallies].map(([code, { count, first }]) => [
        code,
        { count, first: first.map((finding) => ({ organization_id, file, ...finding })) },
      ]),
    );
  addTallies(
    found.findings,
    facts.map(({ findings }) => here(findings)),
  );
  addTallies(
    found.notices,
    facts.map(({ notices }) => here(notices)),
  );
  for (const part of facts) {
    addCash(cash, part.cash);
    addStock(stock, part.stock);
    addRounds(decided, part.decided);
    check.adjusted.push(...part.adjusted);
    addOdds(verdict.odds, part.odds);
  }
}

function compare(book: Book, { size, root, fault }: ReadTree, summed: Summed, report: Report) {
  if (fault === 'cut_off') report.finding('cut_off', 'Its last line has no end.');
  if (fault === 'enormous') report.finding('enormous', 'A line of it is longer than a record can be.');
  if (size !== book.size) {
    report.finding('record_count_differs', `There are ${size} records, and the book says ${book.size}.`);
  }
  if (!root.equals(book.root)) report.finding('root_differs', 'They come to another root than its book has.');
  checkSums(book, summed, report);
}
