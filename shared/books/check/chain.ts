/** Checks that each record in a user's history follows from the record before it. */
import { hash } from 'node:crypto';
import { type Account, accounts, entryTypes } from '../../vocabulary.ts';
import { type Leaf, leafKinds, type UserLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

/**
 * The known part of a chain of records, up to the last record. `since` is 0 if earlier records may be
 * missing.
 */
export type Links = { sequence: number; hash: string; since: number };
/** The known part of a user's history. */
export type Chain = Links & {
  /** The last known balance of each account. */
  balances: { [account in Account]?: number };
  /** The last known number of each kind of record, entry type (truck, flight) and event. */
  numbers: Record<string, number>;
};

/** Returns a user's history before the first record. Unless `whole`, balances and numbers are unknown. */
export const newChain = (whole: boolean): Chain =>
  whole ? beginning() : { sequence: 0, hash: '', since: 0, balances: {}, numbers: {} };

const zeros = <N extends string>(names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<N, number>;
const beginning = (): Chain => ({
  sequence: 0,
  hash: '',
  since: 1,
  balances: zeros(accounts),
  numbers: zeros([...leafKinds, ...entryTypes, 'events']),
});

const field = '"hash":"';
const fieldLength = `${field}${'x'.repeat(43)}",`.length;

/** Returns a record's hash. The search for `hash` is safe, because canonical JSON escapes quotation marks. */
export function hashAfter(previous: string, line: string): string {
  const at = line.indexOf(field);
  return hash('sha256', `${previous}\n${line.slice(0, at)}${line.slice(at + fieldLength)}`, 'base64url');
}

/** Returns an empty chain. If `whole`, the first record must have sequence number 1. */
export const newLinks = (whole: boolean): Links => ({ sequence: 0, hash: '', since: whole ? 1 : 0 });

/**
 * Checks that a record follows from the last record in `chain`, then makes it the last. `unbroken` is true if
 * the books of all days between were given.
 */
export function followChain(
  chain: Chain,
  leaf: UserLeaf,
  line: string,
  unbroken: boolean,
  report: Report,
): void {
  if (chain.since === 0 && leaf.sequence === 1) Object.assign(chain, beginning());
  const { hash } = chain;
  const place = followLinks(chain, leaf, line, unbroken, report);
  if (place === 'forked') return;
  if (place === 'apart') Object.assign(chain, { balances: {}, numbers: {} });
  else if (leaf.kind === 'orders' && leaf.last_hash !== hash) {
    report.finding(
      'last_hash_differs',
      `The order says “${leaf.last_hash}”; the previous record’s hash is “${hash}”.`,
    );
  }
  checkNumbers(chain, leaf, report);
  checkBalance(chain, leaf, report);
}

/**
 * How a record follows the user's last known record: `behind` (directly), `apart` (not directly, or no record
 * is known), or `forked` (with a sequence number that is not higher).
 */
type Standing = 'behind' | 'apart' | 'forked';

/**
 * Checks that a record follows from the last record in `links`. Makes it the last, unless its sequence number
 * already occurred.
 */
export function followLinks(
  links: Links,
  leaf: Leaf,
  line: string,
  unbroken: boolean,
  report: Report,
): Standing {
  const { sequence, hash } = leaf;
  if (links.since > 0 && sequence <= links.sequence) {
    report.finding('record_forked', `Record number ${sequence} comes after record number ${links.sequence}.`);
    return 'forked';
  }
  const isBehind = links.since > 0 && sequence === links.sequence + 1;
  if (!isBehind) reportGap(links, sequence, unbroken, report);
  // An order's record contains the hash of the record before it, so it can be checked even if that record is
  // missing.
  const previous = isBehind ? links.hash : leaf.kind === 'orders' ? leaf.last_hash : undefined;
  if (previous !== undefined && hashAfter(previous, line) !== hash) {
    report.finding('record_altered', `The hash of record number ${sequence} does not match its content.`);
  }
  Object.assign(links, { sequence, hash, since: isBehind ? links.since : sequence });
  return isBehind ? 'behind' : 'apart';
}

function reportGap({ since, sequence: last }: Links, sequence: number, unbroken: boolean, report: Report) {
  if (since > 0 && unbroken) {
    const missing =
      sequence === last + 2 ? `record number ${last + 1}` : `records number ${last + 1} to ${sequence - 1}`;
    report.finding('record_missing', `Missing: ${missing}.`);
  } else report.notice('chain_begins_in_the_middle', `The known part begins with record number ${sequence}.`);
}

function checkNumbers({ numbers }: Chain, leaf: UserLeaf, report: Report) {
  checkNumber(numbers, leaf.kind, leaf.number, report);
  if (leaf.kind !== 'orders') checkNumber(numbers, 'events', leaf.event_sequence, report);
  if (leaf.kind === 'entries') checkNumber(numbers, leaf.entry_type, leaf.number_of_type, report);
}

function checkNumber(numbers: Chain['numbers'], of: string, number: number, report: Report) {
  const last = numbers[of];
  if (last !== undefined && number !== last + 1) {
    report.finding('numbering_differs', `Number ${number} of ${of} follows number ${last}.`);
  }
  numbers[of] = number;
}

function checkBalance({ balances }: Chain, leaf: UserLeaf, report: Report) {
  if (leaf.kind !== 'tickets' && leaf.kind !== 'entries') return;
  const account = leaf.kind === 'entries' ? leaf.entry_type : leaf.kind;
  const before = balances[account];
  if (before !== undefined && before + leaf.amount !== leaf.balance_after) {
    const sum = `${before} plus ${leaf.amount}`;
    report.finding(
      'balance_differs',
      `The balance of ${account} is ${leaf.balance_after}, but should be ${sum}.`,
    );
  }
  balances[account] = leaf.balance_after;
}
