/** Computes limits on the day's cash: for the whole day, and the part available so far. */
import { hoursOfDay } from '../time.ts';
import type { Settings } from './settings.ts';

export function pacedUsd(limitUsd: number, now: number): number {
  // A New York day has 23 to 25 hours.
  const { begun, all } = hoursOfDay(now);
  return Math.floor((limitUsd * begun) / all);
}

/** Returns the limits in whole USD: `limitOfDay` for the whole day, and `limit` for the day until `now`. */
export function cashLimits(
  { daily_cash_limit_usd, daily_cash_paced }: Pick<Settings, 'daily_cash_limit_usd' | 'daily_cash_paced'>,
  now: number,
): { limit: number; limitOfDay: number } {
  const limitOfDay = daily_cash_limit_usd;
  return { limit: daily_cash_paced ? pacedUsd(limitOfDay, now) : limitOfDay, limitOfDay };
}
