/** Checks that each record in a chain (of a user, or of the operations) follows from the record before it. */
import { hash } from 'node:crypto';
import type { Leaf } from '../leaves.ts';
import type { Report } from './findings.ts';

/**
 * The known records of a chain, numbered from `since` to `sequence`. With `since` 0, no record is known yet, and the
 * next one can have any number.
 */
export type Links = { sequence: number; hash: string; since: number };
const field = '"hash":"';
const fieldLength = `${field}${'x'.repeat(43)}",`.length;

/**
 * Returns a record's hash. Finds the field `hash` by text search, which is safe: JSON escapes quotation marks
 * in texts.
 */
export function hashAfter(previous: string, line: string): string {
  const at = line.indexOf(field);
  return hash('sha256', `${previous}\n${line.slice(0, at)}${line.slice(at + fieldLength)}`, 'base64url');
}

/** Returns an empty chain. If `whole`, the first record must have sequence number 1. */
export const newLinks = (whole: boolean): Links => ({ sequence: 0, hash: '', since: whole ? 1 : 0 });

/**
 * How a record's number relates to its chain: `next` is the next number, `apart` follows a gap or is the first known
 * number, and `forked` is not above the last number.
 */
type Standing = 'next' | 'apart' | 'forked';

/**
 * Checks that a record follows the last record of the chain `links`. Appends the record unless it is forked.
 * `unbroken`: no book since the last record is missing, so a gap in the numbers is a finding.
 */
export function followLinks(
  links: Links,
  leaf: Leaf,
  line: string,
  unbroken: boolean,
  report: Report,
): { standing: Standing; isAltered: boolean } {
  const { sequence, hash } = leaf;
  if (links.since > 0 && sequence <= links.sequence) {
    report.finding('record_forked', `Record number ${sequence} comes after record number ${links.sequence}.`);
    return { standing: 'forked', isAltered: false };
  }
  const isNext = links.since > 0 && sequence === links.sequence + 1;
  if (!isNext) reportGap(links, sequence, unbroken, report);
  // An order's record contains the previous record's hash, so the hash of the order's record can be checked even after
  // a gap.
  const previous = isNext ? links.hash : leaf.kind === 'orders' ? leaf.last_hash : undefined;
  const isAltered = previous !== undefined && hashAfter(previous, line) !== hash;
  if (isAltered) {
    report.finding('record_altered', `The hash of record number ${sequence} does not match its content.`);
  }
  Object.assign(links, { sequence, hash, since: isNext ? links.since : sequence });
  return { standing: isNext ? 'next' : 'apart', isAltered };
}

function reportGap({ since, sequence: last }: Links, sequence: number, unbroken: boolean, report: Report) {
  if (since > 0 && unbroken) {
    const missing =
      sequence === last + 2 ? `record number ${last + 1}` : `records number ${last + 1} to ${sequence - 1}`;
    report.finding('record_missing', `Missing: ${missing}.`);
  } else report.notice('history_begins_earlier', `The known part begins with record number ${sequence}.`);
}
