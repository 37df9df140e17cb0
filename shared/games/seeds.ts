/**
 * Derives the seeds of draws. Pure functions, so that anybody who has a day's secret can derive all server
 * seeds of the day.
 */
import { createHash } from 'node:crypto';
import type { OutcomeRecord } from '../accounts/records.ts';
import { hmac } from '../hmac.ts';
import { sha256 } from '../ids.ts';

/** Fields of an outcome from which its server seed is derived. */
export type SeedOrigin = Pick<OutcomeRecord, 'user_id' | 'spin_index' | 'token_hash' | 'order_sequence'>;

/**
 * Derives the hex server seed of a play. `secret` is the secret of the day on which the play URL was created.
 */
export const seedOfPlay = (secret: Buffer, tokenHash: string): string => hmac(secret, `play\n${tokenHash}`);

/**
 * Derives the hex server seed of an outcome. `secret` is the secret of the outcome's `secret_day`. The seed
 * of a free spin depends on the user, the order's sequence number in the user's history, and the spin's index
 * in the order. All three are fixed when the order is recorded, so nobody can change the seed by repeating a
 * request.
 */
export function seedOfOutcome(secret: Buffer, origin: SeedOrigin): string {
  if (origin.token_hash) return seedOfPlay(secret, origin.token_hash);
  const { user_id, order_sequence, spin_index } = origin;
  return hmac(secret, `spin\n${user_id}\n${order_sequence}\n${spin_index}`);
}

/**
 * Returns the fingerprint of a day's secret: the secret's hex SHA-256. The fingerprint is published before
 * the day begins.
 */
export const fingerprintOf = (secret: Buffer): string => createHash('sha256').update(secret).digest('hex');

/**
 * Derives the client seed of an order's spins. `lastHash` is the hash of the user's last record before the
 * order; nobody can choose this hash freely. `randomness` is the beacon's hex randomness, or empty if the
 * order does not use the beacon.
 */
export const clientSeedOfSpins = (lastHash: string, randomness = ''): string =>
  sha256(`${lastHash}\n${randomness}`);
