/** Parses the days of a report. */
import { addDays, dayOf, parseInstant, startOfDay } from '../../../../shared/time.ts';
import { Problem } from '../../../common/problem.ts';

/** Calendar days in New York; both are included. */
export type Period = { from: string; to: string };

/** Parses an option's day. Throws a Problem if it is invalid or in the future. */
export function dayTyped(option: string, typed: string, now: number): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(typed) || parseInstant(typed) === undefined)
    throw new Problem(`--${option} must be a day such as 2026-01-31, but is "${typed}".`);
  if (typed > dayOf(now)) throw new Problem(`--${option} is ${typed}, which has not begun yet in New York.`);
  return typed;
}

/** Parses a first and last day. Throws a Problem if one is invalid or they are in the wrong order. */
export function periodTyped(typed: Period, now: number): Period {
  const [from, to] = [dayTyped('from', typed.from, now), dayTyped('to', typed.to, now)];
  if (from > to) throw new Problem(`--from is ${from}, which is after --to, ${to}.`);
  return { from, to };
}

/** Parses a year. Throws a Problem if it is invalid or in the future. */
export function yearTyped(typed: string, now: number): number {
  if (!/^\d{4}$/.test(typed) || parseInstant(`${typed}-01-01`) === undefined)
    throw new Problem(`--year must be a year such as 2026, but is "${typed}".`);
  if (typed > dayOf(now).slice(0, 4)) throw new Problem(`--year is ${typed}, which has not begun yet.`);
  return Number(typed);
}

/** Returns the beginning and end of a period, in epoch milliseconds. */
export const boundsOf = ({ from, to }: Period) => ({
  begins: startOfDay(from),
  ends: startOfDay(addDays(to, 1)),
});

/** Returns the days of a period. */
export function daysOf({ from, to }: Period): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/**
 * Time after which all records of a moment are readable: the index lags, and a user's ULIDs can be ahead of the
 * clock.
 */
export const settledMs = 60_000;

/** Returns whether all records of a period are readable. */
export const isComplete = (period: Period, now: number): boolean => now >= boundsOf(period).ends + settledMs;
