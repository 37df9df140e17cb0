/** Checks that a book is signed, follows from the day before, matches its kept line, and existed at a time. */
import type * as z from 'zod/mini';
import { isSignedBy, parseVerifierKey } from '../../note.ts';
import { isoOf } from '../../time.ts';
import { certificateFingerprint } from '../../timestamps/certificate-path.ts';
import { BadTimestamp, certificateOf, checkTimestampToken } from '../../timestamps/token.ts';
import {
  type Book,
  bookClosableAt,
  keptLineOf,
  maxTimestampSkewMs,
  type RecordsHead,
  timestampLateAfterMs,
  type timestampSchema,
} from '../book.ts';
import type { ReportFinding } from './findings.ts';

/** Reports a book that the expected key has not signed. Without a confirmed key, the first key in the files counts. */
export function checkSignature(
  book: Book,
  stated: string | undefined,
  expected: string | undefined,
  report: ReportFinding,
): void {
  if (stated !== undefined && expected !== undefined && stated !== expected)
    report('signature_invalid', `The records name the key ${stated}; the expected key is ${expected}.`);
  const key = expected ?? stated;
  const signer = key === undefined ? undefined : parseVerifierKey(key);
  if (!signer || !isSignedBy(book.note, signer))
    report('signature_invalid', `The book is not signed by the key ${key ?? '(none is known)'}.`);
}

export function checkPreviousBook({ header }: Book, before: Book | undefined, report: ReportFinding): void {
  if (!before) return;
  const { previous, stage } = header;
  if (previous !== before.digest) {
    const stated = previous === null ? 'claims to be the first' : `follows a book with digest ${previous}`;
    report('book_replaced', `The book ${stated}; the book of the day before has ${before.digest}.`);
  }
  if (stage !== before.header.stage)
    report('book_replaced', `The stage is ${stage}; the book before is of ${before.header.stage}.`);
}

export function checkKeptLine(book: Book, kept: readonly string[], report: ReportFinding): void {
  const line = keptLineOf(book);
  const place = line.slice(0, line.lastIndexOf(' ') + 1);
  for (const one of kept) {
    if (one.startsWith(place) && one !== line)
      report('not_the_kept_book', `The book’s line is “${line}”, but the kept line is “${one}”.`);
  }
}

/** `at` is an ISO instant, `fingerprint` the certificate's SHA-256. */
export type TimestampVerdict = { at: string; authority: string; fingerprint: string };

/** Checks a book's timestamp. Returns its time (epoch milliseconds) and description if it is valid. */
export function checkTimestamp(
  book: Book,
  { timestamp }: RecordsHead,
  /** The hex SHA-256 of trusted certificates. If absent, trusts the authority in the files. */
  trusted: readonly string[] | undefined,
  /** The time of the latest timestamp of an earlier book, in epoch milliseconds. */
  latest: number,
  report: ReportFinding,
): { at: number; verdict: TimestampVerdict } | undefined {
  const { day } = book.header;
  if (!timestamp) {
    report('timestamp_missing', `There is no timestamp of the book of ${day}.`);
    return undefined;
  }
  const read = readTimestamp(timestamp, { name: day, digest: book.noteDigest }, trusted, report);
  if (!read) return undefined;
  const { at, verdict } = read;
  const closable = bookClosableAt(day);
  if (at < closable - maxTimestampSkewMs)
    report(
      'timestamp_invalid',
      `The book could be closed at ${isoOf(closable)}; its timestamp is from ${verdict.at}.`,
    );
  else if (at < latest - maxTimestampSkewMs)
    report(
      'timestamp_invalid',
      `The timestamp is from ${verdict.at}; the one of an earlier book is from ${isoOf(latest)}.`,
    );
  else if (at > closable + timestampLateAfterMs)
    report('timestamp_missing', `The timestamp of ${day} is from ${verdict.at} only.`);
  return read;
}

/** Reports a timestamp of another digest, or by an authority that is not trusted, and returns undefined then. */
export function readTimestamp(
  { token, root }: z.output<typeof timestampSchema>,
  of: { name: string; digest: Buffer },
  trusted: readonly string[] | undefined,
  report: ReportFinding,
): { at: number; verdict: TimestampVerdict } | undefined {
  const bytes = (text: string) => Buffer.from(text, 'base64');
  try {
    const checked = checkTimestampToken(bytes(token), of.digest, [bytes(root)]);
    const { at, path } = checked;
    const trustedOne = trusted?.map((one) => certificateOf(checked, one)).find((one) => one !== undefined);
    const certificate = trustedOne ?? path.at(-1)!;
    const authority = certificate.subject?.split('\n').join(', ') || 'an authority without a name';
    const verdict = { at: isoOf(at), authority, fingerprint: certificateFingerprint(certificate) };
    if (!trusted || trustedOne) return { at, verdict };
    report('timestamp_invalid', `The authority of the timestamp of ${of.name} is ${authorityIn(verdict)}.`);
  } catch (error) {
    if (!(error instanceof BadTimestamp)) throw error;
    report('timestamp_invalid', `About the timestamp of ${of.name}: ${error.message}.`);
  }
  return undefined;
}

export const authorityIn = ({ authority, fingerprint }: TimestampVerdict): string =>
  `${authority}, certificate ${fingerprint}`;
