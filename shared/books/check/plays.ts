/** Checks the URL of a regular play: the cost and prize table fixed at its creation, and the day of its secret. */
import { holdOn } from '../../games/holds.ts';
import { termsOf } from '../../games/play-rules.ts';
import type { Settings } from '../../games/settings.ts';
import { dayOf } from '../../time.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { DayToCheck } from './day.ts';
import type { Report } from './findings.ts';
import { beginningOf, playLifetimeMs, settingsBetween, toleranceMs } from './in-force.ts';

/**
 * Checks that an outcome's cost, prize table and secret were valid at a time when its play URL may have been created.
 */
export function checkSession(
  leaf: OutcomeLeaf,
  at: number,
  { day, timeline, whole, gaplessSince }: Pick<DayToCheck, 'day' | 'timeline' | 'whole' | 'gaplessSince'>,
  report: Report,
): void {
  const { game, debug, cost, prize_table_version: version, secret_day: secretDay } = leaf;
  const since = at - playLifetimeMs - toleranceMs;
  const isPossible = secretDay <= day && secretDay >= dayOf(whole ? Math.max(since, gaplessSince) : since);
  if (!isPossible) {
    report.finding(
      'secret_of_another_day',
      `The play used the secret of ${secretDay} but ran on ${dayOf(at)}.`,
    );
  }
  // The URL was created on the day of its secret, so that day's settings fixed its cost and table.
  const from = isPossible ? Math.max(since, beginningOf(secretDay) - toleranceMs) : since;
  const until = isPossible && secretDay < day ? beginningOf(day) : at;
  const { all, isKnown } = settingsBetween(timeline, from, until + toleranceMs);
  const creating = all.filter((settings) => !holdOn(settings, [game]));
  const terms = creating.map((settings) => termsOf(settings as Settings, game, debug));
  const hasCost = terms.filter((one) => one.cost === cost);
  const hasTable = terms.filter((one) => one.prize_table_version === version);
  if (hasCost.some((one) => hasTable.includes(one))) return;
  if (isKnown && creating.length === 0) {
    // If the game was still on hold at the play, `replayOutcome` reports it.
    if (until < at) report.finding('record_on_hold', 'The play URL was created while its game was on hold.');
    return;
  }
  if (!isKnown) report.notice('settings_unknown', 'The cost and table of the play could not be checked.');
  else if (hasCost.length === 0) report.finding('cost_not_in_force', `The play cost ${cost} tickets.`);
  // Also reports the table if the cost and the table were each in force, but never at the same time.
  if (isKnown && (hasTable.length === 0 || hasCost.length > 0)) {
    report.finding('table_not_in_force', `The draw used table “${version}” for ${game}.`);
  }
}
