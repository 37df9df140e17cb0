/** The check of a user's history: one record after the other, and all that each says of those before it. */
import { hash } from 'node:crypto';
import { type Account, accounts, entryTypes } from '../../vocabulary.ts';
import { type Leaf, leafKinds, type UserLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

/** How far a chain of records is known: its last record, and from which sequence on all are known (0: none is). */
export type Links = { sequence: number; hash: string; since: number };
/** How far a user's history is known. */
export type Chain = Links & {
  /**
   * The last balance of each account, and the last number of each kind of records, of each type of entries
   * and of events.
   */
  balances: { [account in Account]?: number };
  numbers: Record<string, number>;
};

/** A history of which nothing is known yet; or, if the books to be checked have all of it, that it begins there. */
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

/**
 * The hash that a record must have after another one's: of its line without the hash itself. In canonical
 * JSON, in which a quotation mark within a text is escaped, the field stands out, and it is never the last
 * one.
 */
export function hashAfter(previous: string, line: string): string {
  const at = line.indexOf(field);
  return hash('sha256', `${previous}\n${line.slice(0, at)}${line.slice(at + fieldLength)}`, 'base64url');
}

/** A chain of which nothing is known yet; or, if the books to be checked have all of it, that it begins there. */
export const newLinks = (whole: boolean): Links => ({ sequence: 0, hash: '', since: whole ? 1 : 0 });

/**
 * Checks that a record follows in its user's history, and goes on to it. What a record says of itself is
 * taken from there on, so that one fault is not found over and over again. `unbroken` tells whether the books
 * have no gap since the user's last record.
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
    report.finding('last_hash_differs', `It says “${leaf.last_hash}”, and the hash is “${hash}”.`);
  }
  checkNumbers(chain, leaf, report);
  checkBalance(chain, leaf, report);
}

/** Where a record stands: right behind the one before it, apart from it, or in the place of another. */
type Standing = 'behind' | 'apart' | 'forked';

/** Checks that a record is the next one of its chain, and goes on to it. */
export function followLinks(
  links: Links,
  leaf: Leaf,
  line: string,
  unbroken: boolean,
  report: Report,
): Standing {
  const { sequence, hash } = leaf;
  if (links.since > 0 && sequence <= links.sequence) {
    report.finding('record_forked', `It is number ${sequence}, and stands after number ${links.sequence}.`);
    return 'forked';
  }
  const isBehind = links.since > 0 && sequence === links.sequence + 1;
  if (!isBehind) reportGap(links, sequence, unbroken, report);
  // An order names the hash before it, wherever its chain begins.
  const previous = isBehind ? links.hash : leaf.kind === 'orders' ? leaf.last_hash : undefined;
  if (previous !== undefined && hashAfter(previous, line) !== hash) {
    report.finding('record_altered', `The hash of record ${sequence} does not follow from it.`);
  }
  Object.assign(links, { sequence, hash, since: isBehind ? links.since : sequence });
  return isBehind ? 'behind' : 'apart';
}

function reportGap({ since, sequence: last }: Links, sequence: number, unbroken: boolean, report: Report) {
  if (since > 0 && unbroken) {
    const missing =
      sequence === last + 2 ? `Record ${last + 1} is` : `Records ${last + 1} to ${sequence - 1} are`;
    report.finding('record_missing', `${missing} not there.`);
  } else report.notice('chain_begins_in_the_middle', `It begins with record ${sequence}.`);
}

function checkNumbers({ numbers }: Chain, leaf: UserLeaf, report: Report) {
  checkNumber(numbers, leaf.kind, leaf.number, report);
  if (leaf.kind !== 'orders') checkNumber(numbers, 'events', leaf.event_sequence, report);
  if (leaf.kind === 'entries') checkNumber(numbers, leaf.entry_type, leaf.number_of_type, report);
}

function checkNumber(numbers: Chain['numbers'], of: string, number: number, report: Report) {
  const last = numbers[of];
  if (last !== undefined && number !== last + 1) {
    report.finding('numbering_differs', `It is number ${number} of ${of}, after number ${last}.`);
  }
  numbers[of] = number;
}

function checkBalance({ balances }: Chain, leaf: UserLeaf, report: Report) {
  if (leaf.kind !== 'tickets' && leaf.kind !== 'entries') return;
  const account = leaf.kind === 'entries' ? leaf.entry_type : leaf.kind;
  const before = balances[account];
  if (before !== undefined && before + leaf.amount !== leaf.balance_after) {
    const sum = `${before} and ${leaf.amount}`;
    report.finding('balance_differs', `The balance of ${account} is ${leaf.balance_after} after ${sum}.`);
  }
  balances[account] = leaf.balance_after;
}
