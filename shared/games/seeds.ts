/** What the seeds of a draw follow from. Pure: whoever knows the secret of a day can make all of its seeds. */
import { createHash } from 'node:crypto';
import type { OutcomeRecord } from '../accounts/records.ts';
import { hmac } from '../hmac.ts';
import { sha256 } from '../ids.ts';

/** What an outcome says of where its server seed comes from. */
export type SeedOrigin = Pick<OutcomeRecord, 'user_id' | 'spin_index' | 'token_hash' | 'order_sequence'>;

/** The server seed, in hex, of the play URL whose token has this hash; the secret is that of the day it was made on. */
export const seedOfPlay = (secret: Buffer, tokenHash: string): string => hmac(secret, `play\n${tokenHash}`);

/**
 * The server seed, in hex, of an outcome, with the secret of the day that it says: of a play as above, of a
 * free spin by its user, the number of its order among the user's records, and its own in the order. All of
 * them are fixed once the order is there: not even a repetition of the request changes one.
 */
export function seedOfOutcome(secret: Buffer, origin: SeedOrigin): string {
  if (origin.token_hash) return seedOfPlay(secret, origin.token_hash);
  const { user_id, order_sequence, spin_index } = origin;
  return hmac(secret, `spin\n${user_id}\n${order_sequence}\n${spin_index}`);
}

/** What is told of a day's secret before its day: its SHA-256, in hex. */
export const fingerprintOf = (secret: Buffer): string => createHash('sha256').update(secret).digest('hex');

/**
 * The client seed of the spins of an order: of what the user's history had come to when the order was made,
 * which nobody picks freely, and of the public randomness that is mixed in, in hex, if some is.
 */
export const clientSeedOfSpins = (lastHash: string, randomness = ''): string =>
  sha256(`${lastHash}\n${randomness}`);
