/** Derives the seeds of a draw. Pure: anybody with the secret of a day can derive all of its server seeds. */
import { createHash } from 'node:crypto';
import type { OutcomeRecord } from '../accounts/records.ts';
import { hmac } from '../hmac.ts';
import { sha256 } from '../ids.ts';

/** Fields of an outcome from which its server seed is derived. */
export type SeedOrigin = Pick<OutcomeRecord, 'user_id' | 'spin_index' | 'token_hash' | 'order_sequence'>;

/**
 * Returns the hex server seed of a play. `secret` is the secret of the day on which the play URL was created.
 */
export const seedOfPlay = (secret: Buffer, tokenHash: string): string => hmac(secret, `play\n${tokenHash}`);

/**
 * Returns the hex server seed of an outcome. `secret` is that of the outcome's `secret_day`. A free spin's
 * seed depends on the user, the number of its order among the user's records, and its index in the order. All
 * three are fixed once the order is recorded, so a repeated request cannot change the seed.
 */
export function seedOfOutcome(secret: Buffer, origin: SeedOrigin): string {
  if (origin.token_hash) return seedOfPlay(secret, origin.token_hash);
  const { user_id, order_sequence, spin_index } = origin;
  return hmac(secret, `spin\n${user_id}\n${order_sequence}\n${spin_index}`);
}

/** Returns the hex SHA-256 of a day's secret. It is published before the day begins. */
export const fingerprintOf = (secret: Buffer): string => createHash('sha256').update(secret).digest('hex');

/**
 * Returns the client seed of an order's spins. `lastHash` is the hash of the user's last record before the
 * order, which nobody can choose freely; `randomness` is the beacon's, in hex, if the order mixes it in.
 */
export const clientSeedOfSpins = (lastHash: string, randomness = ''): string =>
  sha256(`${lastHash}\n${randomness}`);
