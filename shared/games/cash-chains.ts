/**
 * The chains of a day's cash. The grants of a chain come one after the other, so an organization with many grants a second
 * has several, each with a share of the day's limit. The setting `cash_chains` says how many: `4`, or `4 1 2026-11-23`
 * for 4 from that day on and 1 before it. Pure.
 */
import { bucketOf } from '../shards.ts';
import { addDays, dayOf } from '../time.ts';

/** The most chains that there can be. */
export const mostChains = 16;
/** The setting of an organization that has always had one chain. */
export const oneChain = '1';

/** How many chains there are from a day in New York on, and on the days before it. */
type Chains = { count: number; before: number; from: string };

function chainsIn(setting: string): Chains {
  const [count = '', before = count, from = ''] = setting.split(' ');
  return { count: Number(count), before: Number(before), from };
}

/** How many chains the cash of a day has. */
export function chainsOn(setting: string, day: string): number {
  const { count, before, from } = chainsIn(setting);
  return day < from ? before : count;
}

/** How many chains the cash of days to come has. */
export const chainsToCome = (setting: string): number => chainsIn(setting).count;

/** The clock of another machine may be ahead or behind by as much. */
const skewMs = 5 * 60_000;

/**
 * The setting once it is changed at a time (epoch milliseconds): a day that has begun keeps its chains. Throws an Error
 * near a midnight with which it changes already.
 */
export function chainsAfter(setting: string, count: number, now: number): string {
  if (chainsToCome(setting) === count) return setting;
  const [day, earliest] = [dayOf(now + skewMs), dayOf(now - skewMs)];
  const before = chainsOn(setting, day);
  if (before !== chainsOn(setting, earliest)) {
    throw new Error('the number of chains changes with this midnight: try again in ten minutes');
  }
  return `${count} ${before} ${addDays(day, 1)}`;
}

/** The number of a user's chain, from 0. */
export const chainOf = (userId: string, chains: number): number => bucketOf(userId, chains);

/** A user's share of a day's limit, in whole USD: the shares of all chains come to the limit. */
export function shareOf(limitUsd: number, userId: string, chains: number): number {
  const rest = chainOf(userId, chains) < limitUsd % chains ? 1 : 0;
  return Math.floor(limitUsd / chains) + rest;
}
