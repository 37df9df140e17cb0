/** Checks that all spins of the same checkpoint and beacon used the beacon's round, or that none did. */
import type { OutcomeLeaf } from '../leaves.ts';
import type { Where } from './findings.ts';

/** By time and drand chain: the first spin that used the beacon's round, and the first spin that did not. */
export type DecidedRounds = Map<string, { mixed?: Where; without?: Where }>;

/** Stores in `decided` whether a free spin used its beacon's round. `name` has the round's time and the chain. */
export function recordRound(decided: DecidedRounds, name: string, leaf: OutcomeLeaf, place: Where): void {
  const uses = decided.get(name) ?? {};
  decided.set(name, uses);
  if (leaf.beacon_out) uses.without ??= place;
  else if (leaf.beacon_round !== undefined) uses.mixed ??= place;
}

/** Adds the rounds of one worker's users (`from`) to the rounds of all users. */
export function addRounds(to: DecidedRounds, from: DecidedRounds): void {
  for (const [name, { mixed, without }] of from) {
    const uses = to.get(name) ?? {};
    to.set(name, uses);
    if (mixed) uses.mixed ??= mixed;
    if (without) uses.without ??= without;
  }
}

/** Returns the times and drand chains where some spins used the beacon's round and others did not. */
export const splitRounds = (decided: DecidedRounds): { name: string; place: Where }[] =>
  [...decided].flatMap(([name, { mixed, without }]) => (mixed && without ? [{ name, place: without }] : []));
