/** The days that a report is of, as they are typed. */
import { addDays, dayOf, parseInstant, startOfDay } from '../../../../shared/time.ts';
import { Problem } from '../../../common/problem.ts';

/** Calendar days in New York, from the first to the last, both included. */
export type Period = { from: string; to: string };

/** The day that was typed for an option. Throws a Problem if it is none, or has not begun by a time. */
export function dayTyped(option: string, typed: string, now: number): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(typed) || parseInstant(typed) === undefined)
    throw new Problem(`--${option} is "${typed}", and must be a day such as 2026-01-31.`);
  if (typed > dayOf(now)) throw new Problem(`--${option} is ${typed}, which has not begun yet in New York.`);
  return typed;
}

/** The days that were typed. Throws a Problem for what is no day, or if the first is after the last. */
export function periodTyped(typed: Period, now: number): Period {
  const [from, to] = [dayTyped('from', typed.from, now), dayTyped('to', typed.to, now)];
  if (from > to) throw new Problem(`--from is ${from}, which is after --to, ${to}.`);
  return { from, to };
}

/** The year that was typed. Throws a Problem if it is none, or has not begun by a time. */
export function yearTyped(typed: string, now: number): number {
  if (!/^\d{4}$/.test(typed) || parseInstant(`${typed}-01-01`) === undefined)
    throw new Problem(`--year is "${typed}", and must be a year such as 2026.`);
  if (typed > dayOf(now).slice(0, 4)) throw new Problem(`--year is ${typed}, which has not begun yet.`);
  return Number(typed);
}

/** When days begin and end, in epoch milliseconds. */
export const boundsOf = ({ from, to }: Period) => ({
  begins: startOfDay(from),
  ends: startOfDay(addDays(to, 1)),
});

/** Each of the days of a period. */
export function daysOf({ from, to }: Period): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** How long after a time records of it can still come: the index lags, and a user's ULIDs can be ahead of the clock. */
export const settledMs = 60_000;

/** Whether a report of days has all their records: they have been over for a while. */
export const isComplete = (period: Period, now: number): boolean => now >= boundsOf(period).ends + settledMs;
