/**
 * How much of a day's cash a user can win from. An organization with many grants a second has several chains of grants,
 * each with a share of the limit and users of its own. A paced limit becomes available hour by hour. Pure.
 */
import { bucketOf } from '../shards.ts';
import { dayOf, hoursOfDay } from '../time.ts';
import type { Settings, StoredSettings } from './settings.ts';

/** The highest number of chains. */
export const mostChains = 16;

/** The number of chains on a day: a change begins with the next day. */
export const chainsOn = (
  { cash_chains, chains_before: before }: Pick<StoredSettings, 'cash_chains' | 'chains_before'>,
  day: string,
): number => (before && day <= before.day ? before.count : cash_chains);

/** Maximum clock skew between machines. */
const skewMs = 5 * 60_000;

/** What is stored with a change of chains at a time (epoch milliseconds). Throws an Error around midnight. */
export function chainsBefore(settings: StoredSettings, now: number): StoredSettings['chains_before'] {
  const day = dayOf(now - skewMs);
  if (day === dayOf(now + skewMs)) return { day, count: chainsOn(settings, day) };
  throw new Error('the number of chains cannot be changed around midnight: try again in ten minutes');
}

/** The number of a user's chain, from 0. */
export const chainOf = (userId: string, chains: number): number => bucketOf(userId, chains);

/** The share of a user's chain in a limit, in whole USD. The shares of all chains sum to the limit. */
export function shareOf(limitUsd: number, userId: string, chains: number): number {
  const rest = chainOf(userId, chains) < limitUsd % chains ? 1 : 0;
  return Math.floor(limitUsd / chains) + rest;
}

/** The part of a limit (whole USD) that the hours begun make available, rounded down. A day has 23, 24 or 25 hours. */
export function pacedUsd(limitUsd: number, now: number): number {
  const { begun, all } = hoursOfDay(now);
  return Math.floor((limitUsd * begun) / all);
}

/**
 * The share of a user's chain in a day's cash, in whole USD: what is available at a time, and by the end of
 * the day.
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
