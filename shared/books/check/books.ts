/** The check of books as such: who signed them, and that each follows from the one before it. */
import { canonicalJson } from '../../ids.ts';
import { addDays } from '../../time.ts';
import { type Book, keptLineOf, type RecordsHead } from '../book.ts';
import { type OperationLeaf, promisedSince } from '../leaves.ts';
import { isSignedBy, type Signer, signerOf } from '../note.ts';
import { headerPartOf, type Summed } from '../sums.ts';
import type { Report } from './findings.ts';

/** What the books of an organization have in common: a key as a line of text, and how its beacons are described. */
export type Common = { key: string | undefined; beacons: Map<string, string> };
export const newCommon = (): Common => ({ key: undefined, beacons: new Map() });

/**
 * Checks that a book is signed by the key that is expected, or by the one that its records name. `confirmed` is a key
 * from elsewhere. Returns whether it could be checked.
 */
export function checkSignature(
  book: Book,
  head: RecordsHead | undefined,
  common: Common,
  confirmed: string | undefined,
  report: Report,
): boolean {
  const said = head?.key;
  const expected = confirmed ?? common.key;
  if (said !== undefined && expected !== undefined && said !== expected) {
    report.finding('key_differs', `Its records name ${said}, and expected was ${expected}.`);
  }
  common.key ??= said;
  const key = confirmed ?? said ?? common.key;
  if (key === undefined) {
    report.notice('signature_unchecked', 'No key is known.');
    return false;
  }
  const signer: Signer | undefined = signerOf(key);
  if (!signer || !isSignedBy(book.note, signer)) {
    report.finding('signature_invalid', `It is not signed by ${key}.`);
  }
  return true;
}

/** Checks that a book follows from the one that was given before it. */
export function checkFollows(book: Book, before: Book | undefined, report: Report): void {
  const { previous, day } = book.header;
  if (!before) {
    if (previous !== null) report.notice('earlier_books', `It follows the book ${previous}.`);
    return;
  }
  const next = addDays(before.header.day, 1);
  if (previous === null) {
    report.finding('chain_of_books_broken', 'It says that it is the first one, and there is an earlier one.');
  } else if (day !== next) {
    const missing = next === addDays(day, -1) ? `${next} is` : `${next} to ${addDays(day, -1)} are`;
    report.finding('day_missing', `The book of ${missing} not here.`);
  } else if (previous !== before.digest) {
    report.finding('chain_of_books_broken', `It follows the book ${previous}, and that is not here.`);
  }
}

/**
 * Checks since when a book says that every record can be checked: as the book before it does, or, if it is the first
 * one, as the organization's first record tells. `opened` is that record, if it is of this day.
 */
export function checkPromise(
  { header }: Book,
  before: Book | undefined,
  opened: OperationLeaf | undefined,
  report: Report,
): void {
  const { promised_since: said, previous, day } = header;
  const must = opened ? promisedSince(day, opened.existing) : before?.header.promised_since;
  if (opened && (previous !== null || opened.sequence !== 1)) {
    report.finding('promise_dropped', 'The organization is said to begin once more.');
  }
  if (said > day) report.notice('not_promised_yet', `It is of ${day}, and all have it since ${said}.`);
  if (must !== undefined && said !== must) {
    report.finding('promise_dropped', `It says that all have it since ${said}, and they must since ${must}.`);
  } else if (previous === null && !opened) {
    report.finding('promise_dropped', 'It is the first one, and has no first record of the organization.');
  }
  if (opened?.existing) report.notice('organization_of_before', `Its first record is of ${day}.`);
}

/** Checks that a book is the one of which this line was kept, if there is one. */
export function checkKept(book: Book, kept: readonly string[], report: Report): void {
  const line = keptLineOf(book);
  const place = line.slice(0, line.lastIndexOf(' ') + 1);
  for (const one of kept) {
    if (one.startsWith(place) && one !== line) {
      report.finding('not_the_kept_book', `The line of this book is “${line}”, and “${one}” was kept.`);
    }
  }
}

/** Checks the sums and counts of a book against those of its records. */
export function checkSums({ header }: Book, summed: Summed, report: Report): void {
  const found = headerPartOf(summed);
  const says = (part: keyof typeof found) =>
    `It says ${canonicalJson(header[part])}, and its records say ${canonicalJson(found[part])}.`;
  if (canonicalJson(header.counts) !== canonicalJson(found.counts)) {
    report.finding('counts_differ', says('counts'));
  }
  for (const part of ['sums', 'spins_without_beacon'] as const) {
    if (canonicalJson(header[part]) !== canonicalJson(found[part])) {
      report.finding('sums_differ', `${part}: ${says(part)}`);
    }
  }
}
