/** Computes limits on the day's cash: the share of each cash chain (group of users), and the part available so far. */
import { bucketOf } from '../shards.ts';
import { addDays, dayOf, hoursOfDay } from '../time.ts';
import type { Settings, StoredSettings } from './settings.ts';

/** Maximum number of cash chains: groups of users with their own share of the day's cash. */
export const maxCashChains = 16;

/** Returns an organization's number of cash chains on a day. A changed number applies from the next day on. */
export const cashChainsOn = (
  { cash_chains, chains_before: before }: Pick<StoredSettings, 'cash_chains' | 'chains_before'>,
  day: string,
): number => (before && day <= before.day ? before.count : cash_chains);

/** Assumed maximum clock skew between two machines. */
const skewMs = 5 * 60_000;

/**
 * Returns `chains_before` for a changed number of chains. Throws around midnight: machines' clocks may disagree about
 * the day.
 */
export function cashChainsBefore(settings: StoredSettings, now: number): StoredSettings['chains_before'] {
  const day = dayOf(now - skewMs);
  if (day === dayOf(now + skewMs)) {
    const today = addDays(day, settings.days_ahead ?? 0);
    return { day: today, count: cashChainsOn(settings, today) };
  }
  throw new Error('you cannot change the number of chains around midnight: try again in ten minutes');
}

/** Returns the number (from 0) of the cash chain, a group of users, to which a user belongs. */
export const cashChainOf = (userId: string, chains: number): number => bucketOf(userId, chains);

/** Returns the part of a limit that a user's cash chain gets, in whole USD. All chains' parts add up to the limit. */
export function shareOf(limitUsd: number, userId: string, chains: number): number {
  const rest = cashChainOf(userId, chains) < limitUsd % chains ? 1 : 0;
  return Math.floor(limitUsd / chains) + rest;
}

/** Returns the available part of a daily limit, in whole USD. Each hour adds an equal part. */
export function pacedUsd(limitUsd: number, now: number): number {
  // A New York day has 23 to 25 hours.
  const { begun, all } = hoursOfDay(now);
  return Math.floor((limitUsd * begun) / all);
}

/** Returns a cash chain's limits in whole USD: `limitOfDay` for the whole day, and `limit` for the day until `now`. */
export function cashLimits(
  { daily_cash_limit_usd, daily_cash_paced }: Pick<Settings, 'daily_cash_limit_usd' | 'daily_cash_paced'>,
  userId: string,
  chains: number,
  now: number,
): { limit: number; limitOfDay: number } {
  const limitOfDay = shareOf(daily_cash_limit_usd, userId, chains);
  return { limit: daily_cash_paced ? pacedUsd(limitOfDay, now) : limitOfDay, limitOfDay };
}
