/** Adds up each user's wins in a year, for Form 1099-MISC. */
import type { WonPrize } from '../../../../shared/prizes/won-prize.ts';
import type { CsvRow } from './csv.ts';

/** `otherCents` is the total value of non-cash prizes in cents. `withoutValue` counts prizes of unknown value. */
type UserWins = {
  cash_prizes: number;
  cash_usd: number;
  other_prizes_with_value: number;
  otherCents: number;
  withoutValue: number;
};
export type WinsByUser = Map<string, UserWins>;

export const taxColumns = [
  'user_id',
  'external_reference',
  'cash_prizes',
  'cash_usd',
  'prizes_without_value',
  'other_prizes_with_value',
  'other_value_usd',
  'value_usd',
  'threshold_usd',
  'is_reportable',
];

/** Callers leave out tickets and entries, because these are chances to win, not payments. */
export function addWin(users: WinsByUser, { user_id, prize, value_usd }: WonPrize): void {
  const won = users.get(user_id) ?? noWins();
  users.set(user_id, won);
  if (value_usd === null) won.withoutValue++;
  else if (prize.cash_usd !== undefined) {
    won.cash_prizes++;
    won.cash_usd += value_usd;
  } else {
    won.other_prizes_with_value++;
    won.otherCents += Math.round(value_usd * 100);
  }
}

const noWins = (): UserWins => ({
  cash_prizes: 0,
  cash_usd: 0,
  other_prizes_with_value: 0,
  otherCents: 0,
  withoutValue: 0,
});
const centsOfAll = ({ cash_usd, otherCents }: UserWins) => cash_usd * 100 + otherCents;

/**
 * `is_reportable` is null without a threshold (USD), and for a user below the threshold with prizes of unknown value,
 * which may add up to the difference.
 */
export function taxRows(users: WinsByUser, thresholdUsd: number | undefined): CsvRow[] {
  return [...users]
    .sort(([a, one], [b, other]) => centsOfAll(other) - centsOfAll(one) || (a < b ? -1 : 1))
    .map(([user_id, won]) => ({
      user_id,
      external_reference: null,
      cash_prizes: won.cash_prizes,
      cash_usd: won.cash_usd,
      prizes_without_value: won.withoutValue,
      other_prizes_with_value: won.other_prizes_with_value,
      other_value_usd: won.otherCents / 100,
      value_usd: centsOfAll(won) / 100,
      threshold_usd: thresholdUsd ?? null,
      is_reportable: isReportable(won, thresholdUsd),
    }));
}

function isReportable(won: UserWins, thresholdUsd: number | undefined): boolean | null {
  if (thresholdUsd === undefined) return null;
  if (centsOfAll(won) >= thresholdUsd * 100) return true;
  return won.withoutValue > 0 ? null : false;
}
