/** Checks regular plays: one outcome per play URL, and the user's daily limit of plays. */
import { countingDay } from '../../games/budgets.ts';
import { dayOf } from '../../time.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import { budgetDay } from './budgets.ts';
import type { Report } from './findings.ts';
import { playLifetimeMs, type Timeline, toleranceMs, wasInForceAt } from './in-force.ts';

/** A user's recent plays. `count` is how many plays count toward the daily limit of `day`. */
export type Plays = {
  day: string;
  count: number;
  /** The day of each recent play's secret, by the hash of the URL's token. Omits expired tokens. */
  recent?: Map<string, string>;
};

/** Returns the plays of a user who has not played yet. */
export const newPlays = (): Plays => ({ day: '', count: 0 });

/** Checks that a play used the secret of a day on which its play URL can have been created. */
export function checkSecretDay(leaf: OutcomeLeaf, at: number, report: Report): void {
  const said = leaf.secret_day ?? '';
  const [first, last] = [dayOf(at - playLifetimeMs - toleranceMs), dayOf(at + toleranceMs)];
  if (said < first || said > last) {
    report.finding('secret_of_another_day', `The play used the secret of ${said} but ran on ${dayOf(at)}.`);
  }
}

/** Checks that the play URL of an outcome was not played before, and remembers the URL's token. */
export function checkOnce(plays: Plays, leaf: OutcomeLeaf, at: number, report: Report): void {
  const token = leaf.token_hash ?? '';
  plays.recent ??= new Map();
  const { recent } = plays;
  const first = dayOf(at - playLifetimeMs - toleranceMs);
  for (const [old, secretDay] of recent) {
    if (secretDay >= first) break;
    recent.delete(old);
  }
  if (recent.has(token))
    report.finding('play_twice', `The play with token hash ${token} already had an outcome.`);
  recent.set(token, leaf.secret_day ?? '');
}

/** Counts a play on its day, and checks the count against the daily limit of plays in force. */
export function countPlay(
  plays: Plays,
  leaf: OutcomeLeaf,
  at: number,
  timeline: Timeline,
  report: Report,
): void {
  const count = countOn(plays, budgetDay(leaf, at));
  const isWithin = wasInForceAt(
    timeline,
    at,
    (settings) => !settings.daily_spin_limit_on || count <= settings.daily_spin_limit,
  );
  if (isWithin === undefined)
    report.notice('settings_unknown', 'The daily limit of plays could not be checked.');
  if (isWithin === false)
    report.finding('plays_over_limit', `This was the user’s play number ${count} of the day.`);
}

function countOn(plays: Plays, day: string): number {
  const on = countingDay(plays.day, day);
  if (on !== plays.day) Object.assign(plays, { day: on, count: 0 });
  return ++plays.count;
}
