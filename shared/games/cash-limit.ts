/**
 * Limits how much of the day's cash a user can win. An organization with many cash wins per second splits its
 * users over several chains, each with a share of the limit. Pacing makes the limit available hour by hour.
 * Pure.
 */
import { bucketOf } from '../shards.ts';
import { dayOf, hoursOfDay } from '../time.ts';
import type { Settings, StoredSettings } from './settings.ts';

/** Maximum number of cash chains. */
export const maxCashChains = 16;

/** Returns the number of cash chains on a day. A change takes effect on the next day. */
export const chainsOn = (
  { cash_chains, chains_before: before }: Pick<StoredSettings, 'cash_chains' | 'chains_before'>,
  day: string,
): number => (before && day <= before.day ? before.count : cash_chains);

/** Maximum clock skew between machines. */
const skewMs = 5 * 60_000;

/**
 * Returns the value of `chains_before` to store when an operator changes the number of chains at `now` (epoch
 * milliseconds). Throws within five minutes of midnight, when machines can disagree about the day.
 */
export function chainsBefore(settings: StoredSettings, now: number): StoredSettings['chains_before'] {
  const day = dayOf(now - skewMs);
  if (day === dayOf(now + skewMs)) return { day, count: chainsOn(settings, day) };
  throw new Error('you cannot change the number of chains around midnight: try again in ten minutes');
}

/** Returns the number of a user's cash chain, from 0. */
export const chainOf = (userId: string, chains: number): number => bucketOf(userId, chains);

/**
 * Returns the share of a limit for a user's chain, in whole USD. The shares of all chains sum to the limit.
 */
export function shareOf(limitUsd: number, userId: string, chains: number): number {
  const rest = chainOf(userId, chains) < limitUsd % chains ? 1 : 0;
  return Math.floor(limitUsd / chains) + rest;
}

/**
 * Returns the part of a limit that the hours begun so far make available, in whole USD, rounded down. A day
 * has 23, 24 or 25 hours because of daylight saving time.
 */
export function pacedUsd(limitUsd: number, now: number): number {
  const { begun, all } = hoursOfDay(now);
  return Math.floor((limitUsd * begun) / all);
}

/**
 * Returns the cash limits of a user's chain in whole USD: `limit` is available now, `limitOfDay` by the end
 * of the day.
 */
export function cashLimits(
  { daily_cash_limit_usd, daily_cash_paced }: Pick<Settings, 'daily_cash_limit_usd' | 'daily_cash_paced'>,
  userId: string,
  chains: number,
  now: number,
): { limit: number; limitOfDay: number } {
  const limitOfDay = shareOf(daily_cash_limit_usd, userId, chains);
  return { limit: daily_cash_paced ? pacedUsd(limitOfDay, now) : limitOfDay, limitOfDay };
}
