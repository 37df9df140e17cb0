/**
 * Fields for repeating an outcome's draw. Imports nothing from Node or AWS, because the play page imports
 * this file.
 */
import type { OutcomeRecord } from '../accounts/records.ts';

/** Fairness fields that an outcome's record contains. The server seed and its commitment are not in the record. */
export const fairnessFields = [
  'client_seed',
  'prize_table_version',
  'prize_id',
  'budgets',
  'debug',
] as const satisfies (keyof OutcomeRecord)[];

/** All data that somebody needs to repeat a draw, apart from the prize table. */
export type Fairness = { commitment: string; server_seed: string } & Pick<
  OutcomeRecord,
  (typeof fairnessFields)[number]
>;

/** What a play URL promises: all that decides the price and the draw. The outcome's record repeats these fields. */
export type PlayPromise = Pick<
  OutcomeRecord,
  'user_id' | 'game' | 'cost' | 'prize_table_version' | 'expires_at' | 'debug'
>;

/** Returns the text of which a play's server seed is the HMAC, keyed with the secret of the day that made the URL. */
export const playSeedText = (tokenHash: string, promise: PlayPromise): string =>
  [
    'play',
    tokenHash,
    promise.user_id,
    promise.game,
    promise.cost,
    promise.prize_table_version,
    promise.expires_at,
    promise.debug,
  ].join('\n');
