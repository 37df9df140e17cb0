/** The check that a round comes to one thing for all: to its randomness, or that its beacon was out. */
import type { OutcomeLeaf } from '../leaves.ts';
import type { Where } from './findings.ts';
import type { Order } from './orders.ts';

/** By due day and chain: a spin that mixed the round in, and one that ran without. */
export type DecidedRounds = Map<string, { mixed?: Where; without?: Where }>;

/** Notes what a free spin says of the round that its order promised. */
export function noteRound(decided: DecidedRounds, order: Order, leaf: OutcomeLeaf, place: Where): void {
  const name = `${order.due_day} ${order.beacon}`;
  const known = decided.get(name) ?? {};
  decided.set(name, known);
  if (leaf.beacon_out) known.without ??= place;
  else if (leaf.beacon_round !== undefined) known.mixed ??= place;
}

/** Adds what other spins say. */
export function addRounds(to: DecidedRounds, from: DecidedRounds): void {
  for (const [name, { mixed, without }] of from) {
    const known = to.get(name) ?? {};
    to.set(name, known);
    if (mixed) known.mixed ??= mixed;
    if (without) known.without ??= without;
  }
}

/** The rounds that came to both, each with a spin that ran without it. */
export const dividedRounds = (decided: DecidedRounds): { name: string; place: Where }[] =>
  [...decided].flatMap(([name, { mixed, without }]) => (mixed && without ? [{ name, place: without }] : []));
