/** What users won in a year, as Form 1099-MISC asks for it. Pure. */
import type { OutcomeRecord } from '../../../shared/accounts/records.ts';
import type { Row } from './csv.ts';
import { prizeWon } from './winners.ts';

/** What a user won: prizes of cash and their sum in whole USD, and prizes that have no value yet. */
type Won = { cash_prizes: number; cash_usd: number; prizes_without_value: number };
/** By user. */
export type WonByUser = Map<string, Won>;

/** The columns of the rows of a year. */
export const taxColumns = [
  'user_id',
  'external_reference',
  'cash_prizes',
  'cash_usd',
  'prizes_without_value',
  'is_reportable',
];

/** Adds an outcome of the year. */
export function addWon(users: WonByUser, outcome: OutcomeRecord): void {
  const prize = prizeWon(outcome);
  // A ticket or an entry is a chance, and nothing that was paid.
  if (!prize || prize.isCredited) return;
  const won = users.get(outcome.user_id) ?? { cash_prizes: 0, cash_usd: 0, prizes_without_value: 0 };
  users.set(outcome.user_id, won);
  if (prize.valueUsd === null) won.prizes_without_value++;
  else {
    won.cash_prizes++;
    won.cash_usd += prize.valueUsd;
  }
}

/** A row of each user who won something, those who won the most first; reportable are those at or above a threshold. */
export function taxRows(users: WonByUser, thresholdUsd: number): Row[] {
  return [...users]
    .sort(([a, { cash_usd: one }], [b, { cash_usd: other }]) => other - one || (a < b ? -1 : 1))
    .map(([user_id, won]) => ({
      user_id,
      external_reference: null,
      ...won,
      is_reportable: won.cash_usd >= thresholdUsd,
    }));
}
