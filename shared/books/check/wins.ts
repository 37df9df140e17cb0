/** The check of users' wins: each draw says how many there were on its day, and nobody wins more often than is allowed. */
import { isWin } from '../../games/prizes.ts';
import { dayOf } from '../../time.ts';
import type { PrizeKind } from '../../vocabulary.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';
import { type Timeline, toleranceMs, wasInForceAt } from './in-force.ts';

/** A user's wins on the last day on which they were limited. */
export type Wins = { day: string; count: number };

/** No wins. */
export const noWins = (): Wins => ({ day: '', count: 0 });

/** Checks the limit of its user's wins that an outcome was drawn under, and what it says of them; goes on to it. */
export function checkWins(
  wins: Wins,
  leaf: OutcomeLeaf,
  at: number,
  { timeline, runStart }: { timeline: Timeline; runStart: number },
  report: Report,
): void {
  const { win_limit: limit = 0, wins: said = 0, cash_day: day = dayOf(at) } = leaf;
  const isInForce = wasInForceAt(timeline, at, ({ daily_win_limit = 0 }) => daily_win_limit === limit);
  if (isInForce === undefined) report.notice('settings_unknown', 'Its limit of wins could not be checked.');
  if (isInForce === false) {
    report.finding('win_limit_not_in_force', `It was drawn under a limit of ${limit || 'no'} wins.`);
  }
  if (limit === 0) return;
  // What is of a day that is over by the time it counts is of the day that began.
  if (day > wins.day) Object.assign(wins, { day, count: 0 });
  const won = Object.keys(leaf.prize).some((kind) => isWin(kind as PrizeKind));
  // Of a day before the first book it is not known how many there were.
  const isKnown = wins.day >= dayOf(runStart + toleranceMs);
  if (isKnown && said !== wins.count) {
    if (won && wins.count >= limit) {
      report.finding('wins_over_limit', `It is the user’s win ${wins.count + 1} of the day, of ${limit}.`);
    } else report.finding('wins_differ', `It says ${said}, and there were ${wins.count}.`);
  }
  wins.count = said + (won ? 1 : 0);
}
