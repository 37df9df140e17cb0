/** Checks timestamps: an independent authority confirms when it saw a book, or a checkpoint of orders. */
import { isoOf } from '../../time.ts';
import { fingerprintOf } from '../../timestamps/chain.ts';
import { BadTimestamp, type CheckedTimestamp, certificateOf, checkToken } from '../../timestamps/token.ts';
import { type Book, closableAt, type RecordsHead, timestampSkewMs } from '../book.ts';
import type { Report } from './findings.ts';

/** A book's timestamp for readers of the result. */
export type TimestampVerdict = {
  /** The time in ISO format. */
  at: string;
  /** The subject of the trusted certificate, or else of the last one in the chain, and its hex SHA-256. */
  authority: string;
  fingerprint: string;
};

/** A later timestamp counts as late. Authorities are asked every six hours, so 12 hours allow for one failure. */
const lateAfterMs = 12 * 3_600_000;
const hourMs = 3_600_000;

/** The latest timestamp so far, of an earlier book. */
export type LatestTimestamp = { day: string; at: number } | undefined;

/** Checks a book's timestamp. Returns its time for the check of the next book, and its description for readers. */
export function checkTimestamp(
  book: Book,
  { timestamp }: RecordsHead,
  latest: LatestTimestamp,
  trusted: readonly string[] | undefined,
  report: Report,
): { latest: LatestTimestamp; verdict?: TimestampVerdict } {
  const { day } = book.header;
  const timed = checkedTimestamp(`the book of ${day}`, book.noteDigest, timestamp, trusted, report);
  if (!timed) return { latest };
  const { at, verdict } = timed;
  checkTime(day, at, latest, report);
  return { latest: !latest || at > latest.at ? { day, at } : latest, verdict };
}

/** Checks the timestamp of a signed note, called `name` in reports. Returns its time if it is valid. */
export function checkedTimestamp(
  name: string,
  digest: Uint8Array,
  timestamp: RecordsHead['timestamp'],
  /** The hex SHA-256 of trusted authorities' certificates. If absent, trusts the authority in the files. */
  trusted: readonly string[] | undefined,
  report: Report,
): { at: number; verdict: TimestampVerdict } | undefined {
  if (!timestamp) {
    report.notice('timestamp_missing', `There is no timestamp of ${name}.`);
    return undefined;
  }
  const bytes = (text: string) => Buffer.from(text, 'base64');
  let checked: CheckedTimestamp;
  try {
    checked = checkToken(bytes(timestamp.token), digest, [bytes(timestamp.root)]);
  } catch (error) {
    if (!(error instanceof BadTimestamp)) throw error;
    report.finding('timestamp_invalid', `About the timestamp of ${name}: ${error.message}.`);
    return undefined;
  }
  const { at, chain } = checked;
  const trustedOne = trusted?.map((one) => certificateOf(checked, one)).find((one) => one !== undefined);
  const certificate = trustedOne ?? chain.at(-1)!;
  const verdict = {
    at: isoOf(at),
    authority: nameIn(certificate.subject),
    fingerprint: fingerprintOf(certificate),
  };
  if (trusted && !trustedOne) {
    const sentence = `The authority of the timestamp of ${name} is ${authorityIn(verdict)}.`;
    report.finding('timestamp_untrusted', sentence);
    return undefined;
  }
  return { at, verdict };
}

function checkTime(day: string, at: number, latest: LatestTimestamp, report: Report) {
  const from = closableAt(day);
  if (at < from - timestampSkewMs) {
    const sentence = `The book of ${day} could be closed at ${isoOf(from)}; its timestamp is from ${isoOf(at)}.`;
    report.finding('timestamp_early', sentence);
  } else if (at > from + lateAfterMs) {
    const hours = Math.floor((at - from) / hourMs);
    const sentence = `The timestamp of ${day} is from ${isoOf(at)}, ${inDays(hours)} after the book could be closed.`;
    report.notice('timestamp_late', sentence);
  }
  if (latest && at < latest.at - timestampSkewMs) {
    const sentence = `The timestamp of ${day} is from ${isoOf(at)}; the one of ${latest.day} is from ${isoOf(latest.at)}.`;
    report.finding('timestamps_out_of_order', sentence);
  }
}

const inDays = (hours: number) =>
  hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days and ${hours % 24} hours`;

export const authorityIn = ({ authority, fingerprint }: TimestampVerdict): string =>
  `${authority}, certificate ${fingerprint}`;

/** Returns a certificate's subject on one line. Node's type omits that the subject can be undefined. */
const nameIn = (subject: string | undefined) =>
  subject?.split('\n').join(', ') || 'an authority without a name';
