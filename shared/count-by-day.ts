/** A number that becomes another one with a day in New York, as that of shards does at a time (`spread.ts`). */
import { addDays, dayOf } from './time.ts';

/** How many there are from a day on, and on days before it. */
export type CountByDay = { count: number; before: number; from: string };

/** A count as items carry it. */
export const countText = ({ count, before, from }: CountByDay): string => `${count} ${before} ${from}`;

/** The count in a text of `countText`; one if there is none. */
export function countIn(text: unknown): CountByDay {
  if (typeof text !== 'string' || text === '') return { count: 1, before: 1, from: '' };
  const [count, before, from = ''] = text.split(' ');
  return { count: Number(count), before: Number(before), from };
}

/** How many there are on a day. */
export const countOn = ({ count, before, from }: CountByDay, day: string): number =>
  day < from ? before : count;

/** By the clocks of others it may be so much later, or earlier. */
const aheadMs = 5 * 60_000;

/**
 * A count that becomes another one with the next day, changed at a time (epoch milliseconds): a day that has begun keeps
 * what it began with. Throws an Error around a midnight with which the count changes already.
 */
export function countAfter(current: CountByDay, count: number, now: number): CountByDay {
  const [day, earliest] = [dayOf(now + aheadMs), dayOf(now - aheadMs)];
  const before = countOn(current, day);
  if (before !== countOn(current, earliest)) {
    throw new Error('it is about to change, or has just changed, with midnight: again in ten minutes');
  }
  return { count, before, from: addDays(day, 1) };
}
