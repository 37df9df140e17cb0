/** Checks the books themselves: their signatures, their totals, and the chain from each book to the next. */
import { canonicalJson } from '../../ids.ts';
import { isSignedBy, type Signer, signerOf } from '../../note.ts';
import { addDays } from '../../time.ts';
import { type Book, keptLineOf, type RecordsHead } from '../book.ts';
import type { OperationLeaf } from '../leaves.ts';
import { headerPartOf, type RecordSums } from '../sums.ts';
import type { Report } from './findings.ts';

/** The values that all books of an organization must share: the verifier key and each beacon's description. */
export type Common = { key: string | undefined; beacons: Map<string, string> };
export const newCommon = (): Common => ({ key: undefined, beacons: new Map() });

/**
 * Checks a book's signature, and reports an invalid one. If no key is known, adds a notice that the signature is
 * unchecked.
 */
export function checkSignature(
  book: Book,
  head: RecordsHead | undefined,
  common: Common,
  /** A key from a source outside the files. If absent, uses the key in the files. */
  confirmed: string | undefined,
  report: Report,
): void {
  const statedKey = head?.key;
  const expected = confirmed ?? common.key;
  if (statedKey !== undefined && expected !== undefined && statedKey !== expected) {
    report.finding(
      'key_differs',
      `The book’s records name the key ${statedKey}; the expected key is ${expected}.`,
    );
  }
  common.key ??= statedKey;
  const key = confirmed ?? statedKey ?? common.key;
  if (key === undefined) {
    report.notice('signature_unchecked', 'No key is known for this book.');
    return;
  }
  const signer: Signer | undefined = signerOf(key);
  if (!signer || !isSignedBy(book.note, signer)) {
    report.finding('signature_invalid', `The book is not signed by the key ${key}.`);
  }
}

/**
 * Checks that a book contains the digest of the previous given book, that no day between the two books is missing, and
 * that both books are of the same stage.
 */
export function checkFollows(book: Book, before: Book | undefined, report: Report): void {
  const { previous, day, stage } = book.header;
  if (!before) {
    if (previous !== null)
      report.notice('earlier_books', `The first book given follows the book with digest ${previous}.`);
    return;
  }
  if (stage !== before.header.stage)
    report.finding(
      'book_chain_broken',
      `The stage is ${stage}; the book before is of ${before.header.stage}.`,
    );
  const next = addDays(before.header.day, 1);
  if (previous === null) {
    report.finding('book_chain_broken', 'The book claims to be the first, but an earlier book exists.');
  } else if (day !== next) {
    const missing = next === addDays(day, -1) ? next : `${next} to ${addDays(day, -1)}`;
    report.finding('day_missing', `Missing: ${missing}.`);
  } else if (previous !== before.digest) {
    report.finding(
      'book_chain_broken',
      `The book follows a book with digest ${previous}; the book of the day before has ${before.digest}.`,
    );
  }
}

/** Checks that the record of the organization's opening (`opened`) is in its first book and in no later one. */
export function checkOpening({ header }: Book, opened: OperationLeaf | undefined, report: Report): void {
  const isFirst = header.previous === null;
  if (opened && (!isFirst || opened.sequence !== 1)) {
    report.finding('opened_twice', 'A record opens the organization, but earlier records exist.');
  }
  if (isFirst && !opened) {
    report.finding('opening_missing', 'This first book has no record that opens the organization.');
  }
}

/** Checks that a book matches the auditor's kept lines (`keptLineOf`) for the book's organization and day. */
export function checkKept(book: Book, kept: readonly string[], report: Report): void {
  const line = keptLineOf(book);
  const place = line.slice(0, line.lastIndexOf(' ') + 1);
  for (const one of kept) {
    if (one.startsWith(place) && one !== line) {
      report.finding('not_the_kept_book', `The book’s line is “${line}”, but the kept line is “${one}”.`);
    }
  }
}

/** Checks that the counts and sums in a book's header equal those of its records. */
export function checkSums({ header }: Book, summed: RecordSums, report: Report): void {
  const found = headerPartOf(summed);
  const says = (part: keyof typeof found) =>
    `The book says ${canonicalJson(header[part])}; its records add up to ${canonicalJson(found[part])}.`;
  if (canonicalJson(header.counts) !== canonicalJson(found.counts)) {
    report.finding('counts_differ', says('counts'));
  }
  for (const part of ['sums', 'spins_without_beacon'] as const) {
    if (canonicalJson(header[part]) !== canonicalJson(found[part])) {
      report.finding('sums_differ', `${part}: ${says(part)}`);
    }
  }
}
