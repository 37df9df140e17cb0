/** The fields of an outcome with which anybody can repeat its draw: pure, since a page's script imports it. */
import type { OutcomeRecord } from '../accounts/records.ts';

/** The fields that the outcome's record has as well: all but the server seed and its commitment. */
export const fairnessFields = [
  'client_seed',
  'prize_table_version',
  'prize_id',
  'budgets',
  'debug',
] as const satisfies (keyof OutcomeRecord)[];

/** What it takes, beside the prizes of the table, to repeat a draw. */
export type Fairness = { commitment: string; server_seed: string } & Pick<
  OutcomeRecord,
  (typeof fairnessFields)[number]
>;
