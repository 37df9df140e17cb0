/** Fields for repeating a draw. Imports nothing from Node or AWS, because the play page imports this file. */
import type { OutcomeRecord } from '../accounts/records.ts';

/** Fields of an outcome's record, which lacks the server seed and its commitment. */
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

/** What a play URL promises. The outcome's record repeats these fields. */
export type PlayPromise = Pick<
  OutcomeRecord,
  'user_id' | 'game' | 'cost' | 'prize_table_version' | 'expires_at' | 'debug'
>;

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
