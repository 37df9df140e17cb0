/**
 * Checks that the free spins due on one day either all use the beacon round's randomness, or all run without
 * the round because the beacon was unavailable.
 */
import type { OutcomeLeaf } from '../leaves.ts';
import type { Where } from './findings.ts';
import type { Order } from './orders.ts';

/**
 * By due day and chain: the first spin that used the beacon round, and the first spin that ran without the
 * round.
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

/** Adds the rounds `from`, found in the spins of other users, to the rounds `to`. */
export function addRounds(to: DecidedRounds, from: DecidedRounds): void {
  for (const [name, { mixed, without }] of from) {
    const known = to.get(name) ?? {};
    to.set(name, known);
    if (mixed) known.mixed ??= mixed;
    if (without) known.without ??= without;
  }
}

/**
 * Returns the due days and chains for which some spins used the beacon round and others did not. `place` is
 * the position of the first spin without the round.
 */
export const splitRounds = (decided: DecidedRounds): { name: string; place: Where }[] =>
  [...decided].flatMap(([name, { mixed, without }]) => (mixed && without ? [{ name, place: without }] : []));
