/**
 * Fields of an outcome with which anybody can repeat its draw. Pure, because the play page imports this file.
 */
import type { OutcomeRecord } from '../accounts/records.ts';

/** Fairness fields that come from the outcome's record. The server seed and its commitment do not. */
export const fairnessFields = [
  'client_seed',
  'prize_table_version',
  'prize_id',
  'budgets',
  'debug',
] as const satisfies (keyof OutcomeRecord)[];

/** Data to repeat a draw, in addition to the prize table. */
export type Fairness = { commitment: string; server_seed: string } & Pick<
  OutcomeRecord,
  (typeof fairnessFields)[number]
>;
