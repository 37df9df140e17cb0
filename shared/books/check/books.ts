/** The check of books as such: who signed them, and that each follows from the one before it. */
import { canonicalJson } from '../../ids.ts';
import { addDays } from '../../time.ts';
import { type Book, keptLineOf, type RecordsHead } from '../book.ts';
import type { OperationLeaf } from '../leaves.ts';
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
 * Checks that the first book of an organization, and no other, has the record that opened the organization. `opened` is
 * that record, if it is of the book's day.
 */
export function checkOpening({ header }: Book, opened: OperationLeaf | undefined, report: Report): void {
  const isFirst = header.previous === null;
  if (opened && (!isFirst || opened.sequence !== 1)) {
    report.finding('opened_twice', 'The organization is said to begin once more.');
  }
  if (isFirst && !opened) {
    report.finding('opening_missing', 'It is the first book, and the organization was opened on no day.');
  }
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
