/**
 * Fields of an outcome with which anybody can repeat the outcome's draw. Imports nothing from Node or AWS,
 * because the play page imports this file.
 */
import type { OutcomeRecord } from '../accounts/records.ts';

/**
 * The fairness fields in an outcome's record. Two further fairness fields are not in the record: the server
 * seed and the commitment to it.
 */
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
