/**
 * Checks free spins that are due on the same day and name the same beacon. Either all of them must use the
 * randomness of the beacon's round, or all must run without it because the beacon was unavailable.
 */
import type { OutcomeLeaf } from '../leaves.ts';
import type { Where } from './findings.ts';
import type { Order } from './orders.ts';

/**
 * By due day and the beacon's drand chain: the first spin that used the beacon's round (`mixed`), and the
 * first spin that ran without it (`without`).
 */
export type DecidedRounds = Map<string, { mixed?: Where; without?: Where }>;

/** Stores in `decided` whether a free spin used the round of the beacon named in its order. */
export function noteRound(decided: DecidedRounds, order: Order, leaf: OutcomeLeaf, place: Where): void {
  const name = `${order.due_day} ${order.beacon}`;
  const known = decided.get(name) ?? {};
  decided.set(name, known);
  if (leaf.beacon_out) known.without ??= place;
  else if (leaf.beacon_round !== undefined) known.mixed ??= place;
}

/**
 * Adds the rounds `from`, found in one day's records of a group of users, to the rounds `to` of all users.
 */
export function addRounds(to: DecidedRounds, from: DecidedRounds): void {
  for (const [name, { mixed, without }] of from) {
    const known = to.get(name) ?? {};
    to.set(name, known);
    if (mixed) known.mixed ??= mixed;
    if (without) known.without ??= without;
  }
}

/**
 * Returns the due days and drand chains for which some spins used the beacon's round and others ran without
 * it. `place` is the position of the first spin without the round.
 */
export const splitRounds = (decided: DecidedRounds): { name: string; place: Where }[] =>
  [...decided].flatMap(([name, { mixed, without }]) => (mixed && without ? [{ name, place: without }] : []));
