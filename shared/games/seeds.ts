/** Derives seeds. Pure, so that anybody with a day's secret can derive all server seeds of the day. */
import { createHash } from 'node:crypto';
import type { OutcomeRecord } from '../accounts/records.ts';
import { hmac } from '../hmac.ts';
import { sha256 } from '../ids.ts';

/** Fields of an outcome from which its server seed is derived. */
export type SeedInputs = Pick<OutcomeRecord, 'user_id' | 'spin_index' | 'token_hash' | 'order_sequence'>;

/** Derives a play's hex server seed from the secret of the day on which the play URL was created. */
export const seedOfPlay = (secret: Buffer, tokenHash: string): string => hmac(secret, `play\n${tokenHash}`);

/** Derives an outcome's server seed (hex) from the secret of the outcome's `secret_day`. */
export function seedOfOutcome(secret: Buffer, inputs: SeedInputs): string {
  if (inputs.token_hash) return seedOfPlay(secret, inputs.token_hash);
  // The order fixes these inputs, so a repeated request cannot change the seed.
  const { user_id, order_sequence, spin_index } = inputs;
  return hmac(secret, `spin\n${user_id}\n${order_sequence}\n${spin_index}`);
}

/**
 * Returns the fingerprint of a day's secret: the secret's hex SHA-256. The fingerprint is published before
 * the day begins.
 */
export const fingerprintOf = (secret: Buffer): string => createHash('sha256').update(secret).digest('hex');

/**
 * Derives the client seed of an order's spins. Nobody can choose `lastHash`, the hash of the user's record before the
 * order, or `randomness`, which is from the order's beacon, if any.
 */
export const clientSeedOfSpins = (lastHash: string, randomness = ''): string =>
  sha256(`${lastHash}\n${randomness}`);
