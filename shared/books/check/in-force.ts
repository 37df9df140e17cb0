/** Which settings were in force when: those of the days' ends, and every recorded change. */
import type { BookHeader } from '../book.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

export type BookSettings = BookHeader['settings'];

/** The settings of a time that nothing is left out of: each step holds until the next one. Epoch milliseconds. */
export type Timeline = { from: number; until: number; steps: { at: number; settings: BookSettings }[] };

/** Clocks of the service's functions differ, and a request takes a while. */
export const toleranceMs = 60_000;
/** A play costs, and draws from, what its page showed when its URL was made: up to 30 minutes before. */
export const playLifetimeMs = 30 * 60_000;

/**
 * Whether something held of the settings at some moment from one time to another; undefined if it did at none that is
 * known, and not all of them are.
 */
function wasInForce(
  { from: known, until, steps }: Timeline,
  from: number,
  to: number,
  holds: (settings: BookSettings) => boolean,
): boolean | undefined {
  for (let i = stepAt(steps, to); i >= 0; i--) {
    if (holds(steps[i]!.settings)) return true;
    if (steps[i]!.at <= from) break;
  }
  return from < known || to > until ? undefined : false;
}

/** Whether something held of the settings at a time, as far as clocks tell it; undefined as above. */
export const wasInForceAt = (
  timeline: Timeline,
  at: number,
  holds: (settings: BookSettings) => boolean,
): boolean | undefined => wasInForce(timeline, at - toleranceMs, at + toleranceMs, holds);

/** The settings in force at a time; the first that are known if it is before them. */
export const settingsAt = ({ steps }: Timeline, at: number): BookSettings =>
  steps[Math.max(0, stepAt(steps, at))]!.settings;

/** The last step that is not after a time; -1 if there is none. */
function stepAt(steps: Timeline['steps'], at: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Checks that an outcome has the cost and the table that were in force. */
export function checkInForce(leaf: OutcomeLeaf, at: number, timeline: Timeline, report: Report): void {
  const isFree = leaf.play_type === 'amoe';
  const cost = (settings: BookSettings) =>
    leaf.cost === (isFree || leaf.debug === 'jackpot' ? 0 : settings[`cost_${leaf.game}`]);
  // That of a free spin is the one that its order promised.
  const table = (settings: BookSettings) =>
    isFree ? leaf.game === 'prizewheel' : leaf.prize_table_version === settings[`prize_table_${leaf.game}`];
  const since = at - toleranceMs - (isFree ? 0 : playLifetimeMs);
  const to = at + toleranceMs;
  const shown = wasInForce(timeline, since, to, (settings) => cost(settings) && table(settings));
  const unknown = (what: string) => report.notice('settings_unknown', `Its ${what} could not be checked.`);
  if (shown === undefined) unknown('cost and table');
  if (shown === false) {
    const costHeld = wasInForce(timeline, since, to, cost);
    const tableHeld = wasInForce(timeline, since, to, table);
    if (!costHeld) report.finding('cost_not_in_force', `It cost ${leaf.cost} tickets.`);
    // What it cost and what it was drawn from were in force, but not at the same time.
    if (!tableHeld || costHeld) report.finding('table_not_in_force', `It was drawn from ${named(leaf)}.`);
  }
}

/**
 * Checks that a free spin whose order is in an earlier book was drawn from a table in force at some time from
 * `from` on.
 */
export function checkTableSince(
  { prize_table_version: version }: OutcomeLeaf,
  from: number,
  at: number,
  timeline: Timeline,
  report: Report,
): void {
  const isOne = wasInForce(timeline, from, at + toleranceMs, hasWheelTable(version));
  if (isOne === undefined) report.notice('settings_unknown', 'Its table could not be checked.');
  if (isOne === false) report.finding('table_not_in_force', `It was drawn from “${version}”.`);
}

/** Whether settings have a table for the wheel. */
export const hasWheelTable = (version: string) => (settings: BookSettings) =>
  version === settings.prize_table_prizewheel;

const named = ({ game, prize_table_version }: OutcomeLeaf) => `“${prize_table_version}” for ${game}`;
