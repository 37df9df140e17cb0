/** The chains of a day's cash. Pure. */
import { countAfter, countIn, countOn, countText } from '../count-by-day.ts';
import { shardOf } from '../spread.ts';

/** The most chains that there can be. */
export const mostChains = 16;

/** In how many chains the cash of a day is granted, by the setting `cash_chains`. */
export const chainsOn = (setting: string | undefined, day: string): number => countOn(countIn(setting), day);

/** The setting `cash_chains` once it is changed at a time (epoch milliseconds): a day that has begun keeps its chains. */
export function chainsAfter(setting: string, chains: number, now: number): string {
  const current = countIn(setting);
  return current.count === chains ? setting : countText(countAfter(current, chains, now));
}

/** The number of a user's chain, from 0. */
export const chainOf = (userId: string, chains: number): number => shardOf(userId, chains);

/** What a user's chain may grant of a day's limit, in whole USD: the shares of all chains come to the limit. */
export function shareOf(limitUsd: number, userId: string, chains: number): number {
  const rest = chainOf(userId, chains) < limitUsd % chains ? 1 : 0;
  return Math.floor(limitUsd / chains) + rest;
}
