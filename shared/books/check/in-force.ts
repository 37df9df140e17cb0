/** Determines the settings in force at any time, from each book's settings and the recorded changes. */
import type { BookHeader } from '../book.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

export type BookSettings = BookHeader['settings'];

/**
 * The settings between `from` and `until` (epoch milliseconds). Each step is in force until the next step.
 */
export type Timeline = { from: number; until: number; steps: { at: number; settings: BookSettings }[] };

/** The tolerance for clock skew between Lambda functions and for the duration of a request: one minute. */
export const toleranceMs = 60_000;
/** The lifetime of a play URL. A play keeps the cost and prize table of its URL's creation. */
export const playLifetimeMs = 30 * 60_000;

/**
 * Returns whether settings that `holds` accepts were in force between `from` and `to`. Returns undefined if
 * the books do not show it.
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

/**
 * Returns whether settings that `holds` accepts were in force within one minute of `at`, or undefined if
 * unknown.
 */
export const wasInForceAt = (
  timeline: Timeline,
  at: number,
  holds: (settings: BookSettings) => boolean,
): boolean | undefined => wasInForce(timeline, at - toleranceMs, at + toleranceMs, holds);

/**
 * Returns the settings in force at a time. If the time is before the earliest known settings, returns those.
 */
export const settingsAt = ({ steps }: Timeline, at: number): BookSettings =>
  steps[Math.max(0, stepAt(steps, at))]!.settings;

/** Returns the index of the last step at or before a time. Returns -1 if there is none. */
function stepAt(steps: Timeline['steps'], at: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Checks that a cost and prize table were in force together: within a play URL's lifetime, or at a free spin.
 */
export function checkInForce(leaf: OutcomeLeaf, at: number, timeline: Timeline, report: Report): void {
  const isFree = leaf.play_type === 'amoe';
  const cost = (settings: BookSettings) =>
    leaf.cost === (isFree || leaf.debug === 'jackpot' ? 0 : settings[`cost_${leaf.game}`]);
  // Accepts any table of the wheel for a free spin; `checkPromise` compares the table with the order's.
  const table = (settings: BookSettings) =>
    isFree ? leaf.game === 'prizewheel' : leaf.prize_table_version === settings[`prize_table_${leaf.game}`];
  const since = at - toleranceMs - (isFree ? 0 : playLifetimeMs);
  const to = at + toleranceMs;
  const shown = wasInForce(timeline, since, to, (settings) => cost(settings) && table(settings));
  const unknown = (what: string) =>
    report.notice('settings_unknown', `The ${what} of the play could not be checked.`);
  if (shown === undefined) unknown('cost and table');
  if (shown === false) {
    const costHeld = wasInForce(timeline, since, to, cost);
    const tableHeld = wasInForce(timeline, since, to, table);
    if (!costHeld) report.finding('cost_not_in_force', `The play cost ${leaf.cost} tickets.`);
    // Cost and table that were in force, but never together, also count as a wrong table.
    if (!tableHeld || costHeld) report.finding('table_not_in_force', `The draw used table ${named(leaf)}.`);
  }
}

/** Checks a free spin whose order is in a missing book: its table must have been in force after `from`. */
export function checkTableSince(
  { prize_table_version: version }: OutcomeLeaf,
  from: number,
  at: number,
  timeline: Timeline,
  report: Report,
): void {
  const isOne = wasInForce(timeline, from, at + toleranceMs, hasWheelTable(version));
  if (isOne === undefined) report.notice('settings_unknown', 'The spin’s prize table could not be checked.');
  if (isOne === false) report.finding('table_not_in_force', `The spin was drawn from table “${version}”.`);
}

/** Returns a function that tests whether settings have the given version of the wheel's prize table. */
export const hasWheelTable = (version: string) => (settings: BookSettings) =>
  version === settings.prize_table_prizewheel;

const named = ({ game, prize_table_version }: OutcomeLeaf) => `“${prize_table_version}” for ${game}`;
