/**
 * Checks that all free spins treat a beacon round alike: all mix it in, or all run because the beacon was
 * unavailable.
 */
import type { OutcomeLeaf } from '../leaves.ts';
import type { Where } from './findings.ts';
import type { Order } from './orders.ts';

/** By due day and chain: the first spin that mixed the round in, and the first that ran without it. */
export type DecidedRounds = Map<string, { mixed?: Where; without?: Where }>;

/** Notes whether a free spin mixed in the round that its order promised. */
export function noteRound(decided: DecidedRounds, order: Order, leaf: OutcomeLeaf, place: Where): void {
  const name = `${order.due_day} ${order.beacon}`;
  const known = decided.get(name) ?? {};
  decided.set(name, known);
  if (leaf.beacon_out) known.without ??= place;
  else if (leaf.beacon_round !== undefined) known.mixed ??= place;
}

/** Adds the notes about other spins. */
export function addRounds(to: DecidedRounds, from: DecidedRounds): void {
  for (const [name, { mixed, without }] of from) {
    const known = to.get(name) ?? {};
    to.set(name, known);
    if (mixed) known.mixed ??= mixed;
    if (without) known.without ??= without;
  }
}

/**
 * Returns the rounds that some spins mixed in and others did not, each with a spin that ran without the
 * round.
 */
export const splitRounds = (decided: DecidedRounds): { name: string; place: Where }[] =>
  [...decided].flatMap(([name, { mixed, without }]) => (mixed && without ? [{ name, place: without }] : []));
