/** Pure, so that anybody with a day's secret can derive all server seeds of the day. */
import { createHash } from 'node:crypto';
import type { OutcomeRecord } from '../accounts/records.ts';
import { hmac } from '../hmac.ts';
import { type PlayPromise, playSeedText } from './fairness.ts';

/** Derives a play's hex server seed from its day's secret and promise: a changed session has another seed. */
export const seedOfPlay = (secret: Buffer, tokenHash: string, promise: PlayPromise): string =>
  hmac(secret, playSeedText(tokenHash, promise));

/** Derives a free spin's hex server seed from the secret of the day on which the spin runs. */
export const seedOfSpin = (secret: Buffer, orderId: string, spinIndex: number): string =>
  hmac(secret, `spin\n${orderId}\n${spinIndex}`);

/** Derives an outcome's hex server seed from the secret of the outcome's `secret_day`. */
export const seedOfOutcome = (secret: Buffer, outcome: SeededOutcome): string =>
  outcome.token_hash
    ? seedOfPlay(secret, outcome.token_hash, outcome)
    : seedOfSpin(secret, outcome.order_id ?? '', outcome.spin_index);

type SeededOutcome = PlayPromise & Pick<OutcomeRecord, 'token_hash' | 'order_id' | 'spin_index'>;

export const secretFingerprint = (secret: Buffer): string =>
  createHash('sha256').update(secret).digest('hex');
