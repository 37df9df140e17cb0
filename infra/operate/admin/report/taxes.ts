/** Adds up what users won in a year, for Form 1099-MISC. Pure functions. */
import type { OutcomeRecord } from '../../../../shared/accounts/records.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import type { Row } from './csv.ts';
import { prizeWon } from './winners.ts';

/**
 * A user's wins: cash prizes and their sum in whole USD, other prizes and their value in cents, and prizes
 * without a value.
 */
type Won = {
  cash_prizes: number;
  cash_usd: number;
  other_prizes: number;
  otherCents: number;
  without: number;
};
export type WonByUser = Map<string, Won>;

/** The columns of the rows. */
export const taxColumns = [
  'user_id',
  'external_reference',
  'cash_prizes',
  'cash_usd',
  'prizes_without_value',
  'other_prizes',
  'other_value_usd',
  'value_usd',
  'threshold_usd',
  'is_reportable',
];

/** Adds an outcome, with the prizes of its table. */
export function addWon(users: WonByUser, outcome: OutcomeRecord, prizes: readonly Prize[]): void {
  const prize = prizeWon(outcome, prizes);
  // A ticket or an entry is a chance to win, not a payment.
  if (!prize || prize.isCredited) return;
  const won = users.get(outcome.user_id) ?? noneWon();
  users.set(outcome.user_id, won);
  if (prize.cents === null) won.without++;
  else if (prize.kind === 'cash_usd') {
    won.cash_prizes++;
    won.cash_usd += prize.amount;
  } else {
    won.other_prizes++;
    won.otherCents += prize.cents;
  }
}

const noneWon = (): Won => ({ cash_prizes: 0, cash_usd: 0, other_prizes: 0, otherCents: 0, without: 0 });
const centsOfAll = ({ cash_usd, otherCents }: Won) => cash_usd * 100 + otherCents;

/**
 * Returns a row for each user who won something, highest total first. `is_reportable` is true from the
 * threshold (USD) on, and null without one.
 */
export function taxRows(users: WonByUser, thresholdUsd: number | undefined): Row[] {
  return [...users]
    .sort(([a, one], [b, other]) => centsOfAll(other) - centsOfAll(one) || (a < b ? -1 : 1))
    .map(([user_id, won]) => ({
      user_id,
      external_reference: null,
      cash_prizes: won.cash_prizes,
      cash_usd: won.cash_usd,
      prizes_without_value: won.without,
      other_prizes: won.other_prizes,
      other_value_usd: won.otherCents / 100,
      value_usd: centsOfAll(won) / 100,
      threshold_usd: thresholdUsd ?? null,
      is_reportable: thresholdUsd === undefined ? null : centsOfAll(won) >= thresholdUsd * 100,
    }));
}
