/** Adds up the cash won on each day, to compare it with the daily limits. */
import type { OutcomeRecord } from '../../../../shared/accounts/records.ts';
import { rulesOf } from '../../../../shared/games/rules.ts';
import { dayOf } from '../../../../shared/time.ts';
import { games, playTypes } from '../../../../shared/vocabulary.ts';
import type { Row } from './csv.ts';

/** One day's figures in the cash report, by column name, from the outcomes added so far. */
type DayCash = Map<string, number>;
export type CashOfDays = Map<string, DayCash>;

const parts = games.flatMap((game) => playTypes.map((type) => `${game}_${type}`));

/** Columns that end in `_usd` are whole USD. */
export const cashColumns = [
  'day',
  'limit_usd',
  'earlier_limits_usd',
  'grants',
  'sum_usd',
  'left_usd',
  'won_usd',
  ...parts.flatMap((part) => [`${part}_grants`, `${part}_usd`]),
];

/**
 * Adds a cash prize to the day whose cash limit it used. Adds it to `won_usd` of the day of the win, which can be
 * another day around midnight.
 */
export function addCash(days: CashOfDays, outcome: OutcomeRecord): void {
  const { prize, debug, game, play_type, timestamp } = outcome;
  const usd = prize.cash_usd;
  // Ignores forced prizes, because they are drawn without a cash limit.
  if (usd === undefined || !rulesOf(debug).isBudgeted) return;
  const wonOn = dayOf(Date.parse(timestamp));
  const add = (day: string, column: string, value: number) => {
    const granted: DayCash = days.get(day) ?? new Map();
    days.set(day, granted.set(column, (granted.get(column) ?? 0) + value));
  };
  const day = outcome.budgets?.day ?? wonOn;
  add(day, 'grants', 1);
  add(day, 'sum_usd', usd);
  add(day, `${game}_${play_type}_grants`, 1);
  add(day, `${game}_${play_type}_usd`, usd);
  add(wonOn, 'won_usd', usd);
}

/** `left_usd` is the day's last limit minus the cash granted. */
export function cashRow(day: string, granted: DayCash | undefined, limitsUsd: readonly number[]): Row {
  const limit = limitsUsd.at(-1);
  const row: Row = Object.fromEntries(cashColumns.map((column) => [column, granted?.get(column) ?? 0]));
  return {
    ...row,
    day,
    limit_usd: limit ?? null,
    earlier_limits_usd: limitsUsd.slice(0, -1).join(', '),
    left_usd: limit === undefined ? null : Math.max(0, limit - Number(row.sum_usd)),
  };
}
