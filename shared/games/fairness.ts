/** What is told of a draw so that anybody can make it again: pure, since a page's script imports it. */
import type { OutcomeRecord } from '../accounts/records.ts';
import type { Left } from './limits.ts';

/** What of it the outcome's record has as well: all but the secret and what that is committed to. */
export const fairnessFields = [
  'client_seed',
  'prize_table_version',
  'prize_id',
  'cash_left_usd',
  'tickets_only',
  'cash_sequence',
  'cash_granted_usd',
  'cash_limit_usd',
  'cash_paced_usd',
  'win_limit',
  'wins',
  'stock_day',
  'stock_sequence',
  'stock_out',
  'stock_number',
  'stock_number_of_day',
  'debug',
] as const satisfies (keyof OutcomeRecord)[];

/** What it takes, beside the prizes of the table, to draw an outcome's prize again. */
export type Fairness = { commitment: string; server_seed: string } & Pick<
  OutcomeRecord,
  (typeof fairnessFields)[number]
>;

type Said = {
  cash_left_usd: number | null;
  win_limit?: number | undefined;
  wins?: number | undefined;
  stock_out?: readonly string[] | undefined;
};
/** What budgets left for a draw, by what its outcome says. */
export const leftAt = ({ cash_left_usd, win_limit, wins = 0, stock_out = [] }: Said): Left => ({
  cashLeftUsd: cash_left_usd,
  winsUsedUp: win_limit !== undefined && wins >= win_limit,
  out: stock_out,
});
