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

/** A count that becomes another one with the day after a time (epoch milliseconds). */
export function countAfter(current: CountByDay, count: number, now: number): CountByDay {
  const day = dayOf(now);
  return { count, before: countOn(current, day), from: addDays(day, 1) };
}
