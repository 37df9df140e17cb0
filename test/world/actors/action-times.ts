/** Draws action times of simulated hosts, players and operators: more by day than by night in New York. */
import type { Random } from '../../support/random.ts';
import type { Api } from './api.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const zone = 'America/New_York';
const hours = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
const days = new Intl.DateTimeFormat('en-CA', { timeZone: zone });

/** Returns the hour of the day in New York, from 0 to 23. */
const hourOf = (time: number): number => Number(hours.format(time));

/** Returns the calendar day in New York, `YYYY-MM-DD`. */
export const dayOf = (time: number): string => days.format(time);

/** Returns the first midnight in New York after a time. */
export function midnightAfter(time: number): number {
  for (let day = Math.floor(time / dayMs) * dayMs; ; day += dayMs) {
    // In New York, midnight is at 4:00 UTC during daylight saving time and at 5:00 UTC otherwise.
    for (const midnight of [day + 4 * hourMs, day + 5 * hourMs]) {
      if (midnight > time && hourOf(midnight) === 0) return midnight;
    }
  }
}

/** Returns the last midnight in New York at or before a time. */
export function midnightBefore(time: number): number {
  // The last 25 hours contain one or two New York midnights, because a day has 23 to 25 hours.
  const midnight = midnightAfter(time - 25 * hourMs - 1);
  const next = midnightAfter(midnight);
  return next <= time ? next : midnight;
}

/**
 * An actor acts `perDay` times a day on average, until the time `until` (epoch milliseconds). `momentShare` is the
 * fraction of the actions that wait for a critical moment (`moments.ts`).
 */
export type ActionRate = { perDay: number; until: number; momentShare: number };

// Relative frequency of actions in each hour of the New York day, from 0:00 to 23:00.
const activity = [3, 2, 1, 1, 1, 2, 4, 6, 7, 7, 7, 8, 10, 9, 8, 7, 7, 8, 9, 10, 10, 9, 7, 5];

/** Draws the times of an actor's actions in the 24 hours after `start`: ascending, in epoch milliseconds. */
export function actionTimes(start: number, random: Random, perDay: number): number[] {
  const amount = random.around(perDay);
  const count = Math.floor(amount) + (random.chance(amount % 1) ? 1 : 0);
  return Array.from({ length: count }, () => atSomeHour(start, random)).sort((a, b) => a - b);
}

function atSomeHour(start: number, random: Random): number {
  for (;;) {
    const moment = start + random.below(dayMs);
    if (random.chance(activity[hourOf(moment)]! / 10)) return moment;
  }
}

/**
 * Calls `act` at random times until `until`. Awaits each call, except calls that wait for a critical moment
 * (`moments.ts`).
 */
export async function runOnSchedule(
  api: Api,
  random: Random,
  { perDay, until, momentShare }: ActionRate,
  act: () => Promise<void>,
): Promise<void> {
  const atMoments: Promise<void>[] = [];
  for (let start = api.now(); start < until; start += dayMs) {
    for (const time of actionTimes(start, random, perDay)) {
      if (time < start || time >= until) continue;
      await api.wait(Math.max(0, time - api.now()));
      const isAtMoment = random.chance(momentShare);
      if (isAtMoment) atMoments.push(api.moment(Math.min(start + dayMs, until)).then(act));
      else await act();
    }
  }
  await Promise.all(atMoments);
}
