/**
 * Computes the limits on the day's cash. An organization with many cash wins per second splits its users into
 * several groups, called cash chains. Each cash chain has its share of the organization's daily limit. If the
 * setting `daily_cash_paced` is on, the limit becomes available hour by hour. Pure functions.
 */
import { bucketOf } from '../shards.ts';
import { dayOf, hoursOfDay } from '../time.ts';
import type { Settings, StoredSettings } from './settings.ts';

/**
 * Maximum number of cash chains per organization. A cash chain is a group of users with their own share of
 * the day's cash.
 */
export const maxCashChains = 16;

/**
 * Returns the number of cash chains (groups of users with a share of the day's cash) that an organization has
 * on a day. After an operator changes the number, the new number applies from the next day on.
 */
export const chainsOn = (
  { cash_chains, chains_before: before }: Pick<StoredSettings, 'cash_chains' | 'chains_before'>,
  day: string,
): number => (before && day <= before.day ? before.count : cash_chains);

/** Assumed maximum clock skew between two machines. */
const skewMs = 5 * 60_000;

/**
 * Returns the value of the setting `chains_before` to store when an operator changes the number of cash
 * chains at `now` (epoch milliseconds): the current day, and the number of cash chains until the end of this
 * day. Throws within five minutes of midnight in New York, because machines whose clocks differ can then use
 * different days.
 */
export function chainsBefore(settings: StoredSettings, now: number): StoredSettings['chains_before'] {
  const day = dayOf(now - skewMs);
  if (day === dayOf(now + skewMs)) return { day, count: chainsOn(settings, day) };
  throw new Error('you cannot change the number of chains around midnight: try again in ten minutes');
}

/**
 * Returns the number (from 0) of the user's cash chain. A cash chain is a group of users with a share of the
 * day's cash.
 */
export const chainOf = (userId: string, chains: number): number => bucketOf(userId, chains);

/**
 * Returns the part of a cash limit for the user's cash chain (group of users), in whole USD. The parts of all
 * chains add up to the limit.
 */
export function shareOf(limitUsd: number, userId: string, chains: number): number {
  const rest = chainOf(userId, chains) < limitUsd % chains ? 1 : 0;
  return Math.floor(limitUsd / chains) + rest;
}

/**
 * Returns the part of a daily limit that is available at `now`, in whole USD, rounded down. An equal part
 * becomes available at the start of each hour of the day in New York. The day has 23, 24 or 25 hours because
 * of daylight saving time.
 */
export function pacedUsd(limitUsd: number, now: number): number {
  const { begun, all } = hoursOfDay(now);
  return Math.floor((limitUsd * begun) / all);
}

/**
 * Returns the cash limits, in whole USD, of the group of users (cash chain) that a user belongs to.
 * `limitOfDay` is the group's limit for the whole day. `limit` is the part of it that is available at `now`.
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
