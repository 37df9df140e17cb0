import { timeOfUlid, ulidOf } from '../../ids.ts';
import { addDays, startOfDay } from '../../time.ts';
import { leafHash, newMerkleTree } from '../../tree.ts';
import { type Book, keptLineOf } from '../book.ts';
import { idOfLeaf, type Leaf, parseLeaf, type UserLeaf } from '../leaves.ts';
import { addLeafToSums, newSums } from '../sums.ts';
import { checkBalance, checkOwedPostings, reportOwedPostings } from './balances.ts';
import { checkBookTotals, checkDayAndOwner, checkLink, leafSortKey } from './complete.ts';
import {
  checkDrawingAction,
  checkDrawingEntries,
  checkDrawingFile,
  finishDrawingCheck,
  keepDrawingClaim,
  settleDrawings,
} from './drawings.ts';
import { addFingerprints, checkDraw, checkSecrets, rememberOrder } from './draws.ts';
import {
  type BookFile,
  type DayFiles,
  fileNameOf,
  type RecordsFile,
  readBookFiles,
  readLineChunks,
} from './files.ts';
import { type FindingPlace, type FindingTallies, type ReportFinding, reporterFor } from './findings.ts';
import { authorityIn, checkKeptLine, checkPreviousBook, checkSignature, checkTimestamp } from './genuine.ts';
import { checkChange, checkDayEnd, checkOrderTerms, checkOutcomeTerms, checkTables } from './in-force.ts';
import { checkOutcomeLimits, settleBudget } from './limits.ts';
import type { DrawCounts } from './odds.ts';
import {
  type BookDay,
  type Budget,
  type DrawingInBooks,
  type History,
  newHistory,
  type UserState,
  userStateOf,
} from './state.ts';
import { type BudgetSum, type DayVerdict, type ReportedAction, type Verdict, verdictOf } from './verdict.ts';

export type VerifyOptions = {
  /** The operator's verifier key. If absent, trusts the key in the files, and reports a notice. */
  key?: string | undefined;
  /** Lines of earlier books (`keptLineOf`), which the auditor kept. */
  kept: readonly string[];
  /** Fingerprints of secrets, by day, from an earlier book that is not among the files. */
  fingerprints?: Readonly<Record<string, string>> | undefined;
  /** The hex SHA-256 of the certificates of trusted timestamp authorities. If absent, trusts those in the files. */
  authorities?: readonly string[] | undefined;
  /** Called with the fraction of the records that have been checked so far, from 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
};

type Check = {
  organizationId: string;
  options: VerifyOptions;
  tallies: FindingTallies;
  onBytes: (bytes: number) => void;
  history: History;
  /** The book of the day before, if it was given. */
  before: Book | undefined;
  key: string | undefined;
  /** The time of the latest timestamp so far, in epoch milliseconds. */
  timestampedAt: number;
  authorities: Set<string>;
  days: DayVerdict[];
  odds: DrawCounts;
  tables: BookDay['tables'];
  budgets: BudgetSum[];
  actions: ReportedAction[];
  drawings: DrawingInBooks[];
};

export function verifyBookFiles(files: readonly string[], options: VerifyOptions): Verdict {
  const tallies: FindingTallies = new Map();
  const { organizations, drawings } = readBookFiles(files, tallies);
  const size = organizations.flat().reduce((sum, { records }) => sum + (records?.size ?? 0), 0);
  let done = 0;
  const onBytes = (bytes: number) => {
    done += bytes;
    options.onProgress?.(done / size);
  };
  const checks = organizations.map((days) => checkOrganization(days, { options, tallies, onBytes }));
  for (const { file, name } of drawings) {
    const { organization_id, terms } = file;
    const check = checks.find((one) => one.organizationId === organization_id);
    const found = check?.drawings.find(({ id, closed }) => closed && id === terms.drawing_id);
    checkDrawingFile(found, file, options.authorities, reporterFor(tallies, { organization_id, file: name }));
  }
  for (const line of options.kept) {
    const [organization_id = '', name = ''] = line.split(' ');
    const check = checks.find((one) => one.organizationId === organization_id);
    const isGiven =
      check?.days.some(({ day, kept_line }) => kept_line && day === name) ||
      check?.drawings.some(({ id }) => id === name);
    if (!isGiven)
      reporterFor(tallies, { organization_id, day: name })(
        'file_missing',
        `A line was kept for ${name}, but its book was not given.`,
      );
  }
  return verdictOf(tallies, checks);
}

function checkOrganization(
  days: readonly DayFiles[],
  given: Pick<Check, 'options' | 'tallies' | 'onBytes'>,
): Check {
  const [first] = days as [DayFiles];
  const check: Check = {
    ...given,
    organizationId: first.organizationId,
    history: newHistory(first.book?.book.header.previous === null),
    before: undefined,
    key: given.options.key,
    timestampedAt: 0,
    authorities: new Set(),
    days: [],
    odds: new Map(),
    tables: {},
    budgets: [],
    actions: [],
    drawings: [],
  };
  addFingerprints(check.history, given.options.fingerprints ?? {}, reportAt(check, {}));
  let last: string | undefined;
  for (const ofDay of days) {
    checkDay(check, ofDay, last);
    last = ofDay.day;
  }
  finishHistory(check);
  reportTrust(check, first);
  return check;
}

function finishHistory({ history, budgets, drawings }: Check): void {
  budgets.push(...[...history.budgets.values()].map(sumOf));
  settleDrawings(history, '', Number.POSITIVE_INFINITY);
  drawings.push(...history.drawings.values());
}

const reportAt = ({ tallies, organizationId: organization_id }: Check, place: FindingPlace): ReportFinding =>
  reporterFor(tallies, { organization_id, ...place });

function checkDay(check: Check, { day, book, records }: DayFiles, last: string | undefined): void {
  const report = reportAt(check, { day, file: fileNameOf((book ?? records)!.path) });
  const isNext = last !== undefined && day === addDays(last, 1) && check.before !== undefined;
  if (last !== undefined && !isNext) {
    if (day !== addDays(last, 1)) report('file_missing', `No book was given between ${last} and ${day}.`);
    finishHistory(check);
    check.history = newHistory(false);
    check.before = undefined;
  }
  if (!book) report('file_missing', `The records of ${day} have no book.`);
  else {
    check.key ??= records?.head.key;
    checkSignature(book.book, records?.head.key, check.key, report);
    checkPreviousBook(book.book, check.before, report);
    checkKeptLine(book.book, check.options.kept, report);
  }
  if (!records) report('file_missing', `The book of ${day} has no records.`);
  if (book && records) checkRecords(check, book, records, report);
  else check.days.push({ day, isChecked: false, ...(book && { kept_line: keptLineOf(book.book) }) });
  check.before = book && records && book.book;
}

function checkRecords(check: Check, { book }: BookFile, records: RecordsFile, report: ReportFinding): void {
  const { history, options, timestampedAt, odds } = check;
  const { head } = records;
  const { day: name } = book.header;
  const timed = checkTimestamp(book, head, options.authorities, timestampedAt, report);
  check.timestampedAt = Math.max(timestampedAt, timed?.at ?? 0);
  if (timed) check.authorities.add(authorityIn(timed.verdict));
  const [start, end] = [startOfDay(name), startOfDay(addDays(name, 1))];
  const secrets = { ...head.secrets, ...book.header.secrets };
  const day: BookDay = { day: name, start, end, book, tables: head.tables, secrets, history, odds };
  history.firstDay ||= name;
  history.tokens = { before: history.tokens.today, today: new Set() };
  checkTables(head.tables, report);
  Object.assign(check.tables, head.tables);
  readRecords(check, day, records, report);
  checkSecrets(day, report);
  checkDayEnd(history, book.header, end, report);
  settleDrawings(history, name, end);
  settleBudgets(check, day);
  check.days.push({
    day: name,
    stage: book.header.stage,
    isChecked: true,
    kept_line: keptLineOf(book),
    ...(timed && { timestamp: timed.verdict }),
    records: book.size,
    counts: book.header.counts,
    sums: book.header.sums,
    settings: book.header.settings,
  });
}

/** Checks each record in order, then the totals. */
function readRecords(check: Check, day: BookDay, records: RecordsFile, report: ReportFinding): void {
  const file = fileNameOf(records.path);
  const tree = newMerkleTree();
  const summed = newSums();
  const owing = new Map<UserState, ReportFinding>();
  let [line, last] = [1, ''];
  const lines = readLineChunks(records, day.book.size);
  for (;;) {
    const { value, done } = lines.next();
    if (done) {
      for (const [user, reportOfUser] of owing) reportOwedPostings(user, reportOfUser);
      checkBookTotals(day.book, tree, summed, value, report);
      return;
    }
    for (const { bytes, text } of value) {
      line++;
      tree.add(leafHash(bytes));
      const leaf = parseLeaf(text);
      const reportOfLine = reportAt(check, {
        day: day.day,
        file,
        line,
        ...(leaf && { record: idOfLeaf(leaf) }),
      });
      if (!leaf) {
        reportOfLine('not_a_record', 'The line is not a valid record in canonical JSON.');
        continue;
      }
      const sortKey = leafSortKey(leaf);
      if (sortKey <= last) reportOfLine('records_differ', 'The record is not in the order of the ids.');
      last = sortKey;
      checkDayAndOwner(day, leaf, reportOfLine);
      addLeafToSums(summed, leaf);
      checkRecord(check, day, leaf, text, reportOfLine, owing);
    }
    check.onBytes(value.reduce((sum, { bytes }) => sum + bytes.length + 1, 0));
  }
}

function checkRecord(
  check: Check,
  day: BookDay,
  leaf: Leaf,
  text: string,
  report: ReportFinding,
  owing: Map<UserState, ReportFinding>,
): void {
  const at = timeOfUlid(ulidOf(idOfLeaf(leaf)));
  const { history } = day;
  if (leaf.kind === 'actions') {
    const unknown = { sequence: history.isWhole || leaf.sequence === 1 ? 0 : -1, hash: '' };
    history.actions = checkLink(history.actions ?? unknown, leaf, text, report);
    checkChange(day, leaf, at, report);
    checkDrawingAction(day, leaf, at, report);
    // The record that opens an organization publishes the fingerprints of its first days.
    if (leaf.fingerprints && leaf.sequence === 1) addFingerprints(history, leaf.fingerprints, report);
    const { action, operator, date_created, about, before, after, why } = leaf;
    check.actions.push({
      at: date_created,
      operator,
      action,
      before,
      after,
      ...(about && { about }),
      ...(why && { why }),
    });
    return;
  }
  const user = userStateOf(day, leaf.user_id, leaf.sequence);
  user.link = checkLink(user.link, leaf, text, report);
  checkOwedPostings(user, leaf, report);
  checkOfUser(day, user, leaf, at, report);
  if (user.owed.length > 0) owing.set(user, report);
  else owing.delete(user);
}

function checkOfUser(day: BookDay, user: UserState, leaf: UserLeaf, at: number, report: ReportFinding): void {
  if (leaf.kind === 'orders') {
    rememberOrder(user, leaf);
    checkOrderTerms(day, leaf, at, report);
  } else if (leaf.kind === 'outcomes') {
    if (leaf.debug && day.book.header.stage === 'production')
      report('result_forced', `The result was forced: ${leaf.debug}.`);
    checkDraw(day, user, leaf, at, report);
    checkOutcomeLimits(day, user, leaf, at, report);
    checkOutcomeTerms(day, leaf, at, report);
  } else if (leaf.kind === 'claims') {
    keepDrawingClaim(day.history, leaf, report);
  } else {
    checkDrawingEntries(day, user, leaf, at, report);
    checkBalance(user, leaf, report);
  }
}

/** Checks the grants so far. The cash of the day before is complete, because grants are at most a minute late. */
function settleBudgets({ history, budgets }: Check, { day, end }: BookDay): void {
  for (const [name, budget] of history.budgets) {
    const isPast = budget.day !== undefined && budget.day < day;
    settleBudget(budget, isPast ? Number.POSITIVE_INFINITY : end);
    if (!isPast) continue;
    budgets.push(sumOf(budget));
    history.budgets.delete(name);
  }
}

const sumOf = ({ name, limit, state: { granted, grants } }: Budget): BudgetSum => ({
  budget: name,
  ...(limit !== undefined && { limit }),
  granted,
  grants: Math.max(0, grants),
});

/** Reports what the check had to trust. */
function reportTrust(check: Check, first: DayFiles): void {
  const { options, days, organizationId, key } = check;
  const report = reportAt(check, {});
  if (first.book?.book.header.previous !== null)
    report('earlier_books', `The first given book is of ${first.day}.`);
  if (options.key === undefined && key !== undefined)
    report('key_unconfirmed', `The key in the files is ${key}.`);
  if (!options.authorities)
    for (const one of check.authorities)
      report('authority_unconfirmed', `The authority in the files is ${one}.`);
  const kept = options.kept.filter((line) => line.startsWith(`${organizationId} `));
  if (kept.length === 0) report('no_kept_line', 'No kept line was given.');
  const lines = days.flatMap(({ kept_line = '' }) => kept_line);
  const keptDays = kept.filter((line) => lines.includes(line)).map((line) => line.split(' ')[1]!);
  for (const drawing of check.drawings) finishDrawingCheck(drawing, keptDays, kept, report);
}
