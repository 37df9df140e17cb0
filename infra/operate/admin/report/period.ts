import { settledAfterMs } from '../../../../shared/table/settled.ts';
import { addDays, dayOf, parseInstant, startOfDay } from '../../../../shared/time.ts';
import { BadUsage } from '../../../common/arguments.ts';

/** The first and last day of a report (calendar days in New York), both included. */
export type Period = { from: string; to: string };

/** Parses the day in the option `option`. Throws a BadUsage if the day is invalid or in the future. */
export function parseDayOption(option: string, typed: string, now: number): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(typed) || parseInstant(typed) === undefined)
    throw new BadUsage(`--${option} must be a day such as 2026-01-31, but is "${typed}".`);
  if (typed > dayOf(now)) throw new BadUsage(`--${option} is ${typed}, which has not begun yet in New York.`);
  return typed;
}

/** Throws a BadUsage if a day is invalid or the order is wrong. */
export function parsePeriodOptions(typed: Period, now: number): Period {
  const [from, to] = [parseDayOption('from', typed.from, now), parseDayOption('to', typed.to, now)];
  if (from > to) throw new BadUsage(`--from is ${from}, which is after --to, ${to}.`);
  return { from, to };
}

/** Throws a BadUsage if the year is invalid or has not begun in New York. */
export function parseYearOption(typed: string, now: number): number {
  if (!/^\d{4}$/.test(typed) || parseInstant(`${typed}-01-01`) === undefined)
    throw new BadUsage(`--year must be a year such as 2026, but is "${typed}".`);
  if (typed > dayOf(now).slice(0, 4)) throw new BadUsage(`--year is ${typed}, which has not begun yet.`);
  return Number(typed);
}

/** Returns the beginning (included) and end (excluded) of a period, in epoch milliseconds. */
export const boundsOf = ({ from, to }: Period) => ({
  begins: startOfDay(from),
  ends: startOfDay(addDays(to, 1)),
});

/** Returns whether all records of a period can be read, so that a report on it is final. */
export const isComplete = (period: Period, now: number): boolean =>
  now >= boundsOf(period).ends + settledAfterMs;
