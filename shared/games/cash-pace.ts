/** How a day's cash is paced, so that the first plays after midnight do not take it all. Pure. */
import { hoursOfDay } from '../time.ts';

/**
 * What of a limit (whole USD) is available at a time (epoch milliseconds): the share of the day's hours that have begun,
 * rounded down. A day in New York has 23, 24 or 25 of them.
 */
export function pacedUsd(limitUsd: number, now: number): number {
  const { begun, all } = hoursOfDay(now);
  return Math.floor((limitUsd * begun) / all);
}
