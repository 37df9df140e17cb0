/** A user's state by the service's rules, as far as the given books show it. */
import { contentOfNext, type NewRecord, type UserRecord, withLast } from '../../accounts/records.ts';
import type { User } from '../../accounts/user.ts';
import { ulidOf } from '../../ids.ts';
import { type Account, accounts, entryTypes, recordKinds } from '../../vocabulary.ts';
import { idOfLeaf, type UserLeaf } from '../leaves.ts';
import { followLinks, type Links, newLinks } from './chain.ts';
import type { Code, Report } from './findings.ts';

/** The state of a user, and the position in the user's chain of records. */
export type Replayed = {
  links: Links;
  user: User;
  /** The numbers and balances that depend on missing books. Absent if everything is known. */
  unknown?: Set<string>;
};

/**
 * Returns a user's state before the first given record. If `whole`, the user has no earlier records; otherwise, all
 * numbers and balances are unknown.
 */
export function newReplayed(organization_id: string, user_id: string, whole: boolean): Replayed {
  const user = { organization_id, user_id, ...beginning() } as User;
  const links = newLinks(whole);
  return whole ? { links, user } : { links, user: { ...user, balances: anyBalances }, unknown: allUnknown() };
}

/** Infinite, so that an unknown balance never prevents a play. */
const anyBalances = { tickets: Infinity, truck: Infinity, flight: Infinity };

const beginning = () => ({
  balances: { tickets: 0, truck: 0, flight: 0 },
  queued_spins: 0,
  plays: { day: '', count: 0 },
  sequence: 0,
  counts: {},
  last_hash: '',
});

const everyNumber = [
  ...[...recordKinds, 'orders', ...entryTypes.map((type) => `entries#${type}`), 'events'],
  ...accounts.map((account) => `balance of ${account}`),
];
const allUnknown = () => new Set(everyNumber);

/**
 * Checks that a record follows from the user's last record. Returns `forked` for a sequence number that is not higher,
 * and `altered` for a wrong hash. For `unbroken`, see `followLinks`.
 */
export function follow(
  state: Replayed,
  leaf: UserLeaf,
  line: string,
  unbroken: boolean,
  report: Report,
): 'good' | 'altered' | 'forked' {
  if (state.links.since === 0 && leaf.sequence === 1) {
    Object.assign(state, newReplayed(leaf.organization_id, leaf.user_id, true));
    delete state.unknown;
  }
  const { standing, isAltered } = followLinks(state.links, leaf, line, unbroken, report);
  if (standing === 'forked') return 'forked';
  if (standing === 'apart') {
    state.unknown = allUnknown();
    const last_hash = leaf.kind === 'orders' ? leaf.last_hash : '';
    const { last_ulid: _, ...user } = state.user;
    state.user = { ...user, sequence: leaf.sequence - 1, last_hash, balances: anyBalances };
  }
  if (state.unknown) presume(state.user, state.unknown, leaf);
  return isAltered ? 'altered' : 'good';
}

/** Returns the account that a transaction changes. */
export const accountOfLeaf = (leaf: { kind: string; entry_type?: Account }): Account =>
  leaf.entry_type ?? 'tickets';

/** Sets unknown numbers and balances so that the record follows from them. */
function presume(user: User, unknown: Set<string>, leaf: UserLeaf) {
  const counts = { ...user.counts };
  user.counts = counts;
  const learn = (list: keyof typeof counts, number: number) => {
    const before = counts[list] ?? 0;
    if (!unknown.delete(list)) return;
    counts[list] = number - 1;
    // The event number is the sum of the counts of all kinds. To keep the sum, changes another unknown count by the
    // same number in the other direction.
    const other = recordKinds.find((kind) => unknown.has(kind));
    if (other && list !== 'orders' && list in isKind)
      counts[other] = (counts[other] ?? 0) + before - number + 1;
  };
  learn(leaf.kind, leaf.number);
  if (leaf.kind === 'entries') learn(`entries#${leaf.entry_type}`, leaf.number_of_type);
  if (leaf.kind !== 'orders' && unknown.delete('events')) {
    const other = recordKinds.find((kind) => unknown.has(kind));
    const sum = recordKinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
    if (other) counts[other] = (counts[other] ?? 0) + leaf.event_sequence - 1 - sum;
  }
  if (leaf.kind !== 'tickets' && leaf.kind !== 'entries') return;
  const account = accountOfLeaf(leaf);
  if (!unknown.delete(`balance of ${account}`)) return;
  user.balances = { ...user.balances, [account]: leaf.balance_after - leaf.amount };
}
const isKind = Object.fromEntries(recordKinds.map((kind) => [kind, true]));

/** A field whose value in a record differs from the value that the rules give. */
export type Difference = { field: string; code: Code; sentence: string };
/** For each field, the code of the finding if the field differs, or a function that returns the code. */
export type FieldCodes = Record<string, Code | ((expected: unknown, found: unknown, leaf: UserLeaf) => Code)>;

/** The codes of findings for fields that differ from the rules. Other fields have the code `record_not_by_rules`. */
const codes: FieldCodes = {
  number: 'numbering_differs',
  event_sequence: 'numbering_differs',
  number_of_type: 'numbering_differs',
  balance_after: 'balance_differs',
  date_created: 'not_a_record',
  timestamp: 'not_a_record',
  result_effective_date: 'effective_date_differs',
  last_hash: 'last_hash_differs',
  due_day: 'due_day_differs',
  prize_table_version: 'table_not_in_force',
  game: 'table_not_in_force',
  cost: 'cost_not_in_force',
  secret_day: 'secret_of_another_day',
  client_seed: 'client_seed_differs',
};

/** Returns the fields in which a record differs from the record that the rules give. */
export function differencesOf(
  user: User,
  fields: NewRecord,
  leaf: UserLeaf,
  further: FieldCodes = {},
): Difference[] {
  const expected: Record<string, unknown> = contentOfNext(user, fields, ulidOf(idOfLeaf(leaf)));
  const found = leaf as unknown as Record<string, unknown>;
  const differences: Difference[] = [];
  const compare = (field: string) => {
    if (isEqual(expected[field], found[field])) return;
    const codeOrFunction = further[field] ?? codes[field] ?? 'record_not_by_rules';
    const code =
      typeof codeOrFunction === 'string'
        ? codeOrFunction
        : codeOrFunction(expected[field], found[field], leaf);
    const mismatch = `The ${field} is ${JSON.stringify(found[field])}`;
    differences.push({
      field,
      code,
      sentence: `${mismatch}; the rules give ${JSON.stringify(expected[field])}.`,
    });
  };
  for (const field in expected) compare(field);
  for (const field in found) if (!(field in expected) && field !== 'hash') compare(field);
  return differences;
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const name in one) if (!isEqual(one[name], other[name])) return false;
  for (const name in other) if (one[name] === undefined && other[name] !== undefined) return false;
  return true;
}

/** Makes a record the last one of its user. `user` is the user's state after the record, as the rules give it. */
export function appendRecord(state: Replayed, user: User, leaf: UserLeaf): void {
  state.user = withLast(user, leaf as unknown as UserRecord, ulidOf(idOfLeaf(leaf)), leaf.hash);
  if (leaf.kind !== 'tickets' && leaf.kind !== 'entries') return;
  // Continues with the recorded balance, so that a wrong balance is reported only once.
  const account = accountOfLeaf(leaf);
  if (state.user.balances[account] === leaf.balance_after) return;
  state.user.balances = { ...state.user.balances, [account]: leaf.balance_after };
}
