/** The settings in force at each time, from the settings at the end of each day and every recorded change. */
import type { BookHeader } from '../book.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

export type BookSettings = BookHeader['settings'];

/**
 * The complete settings history of a time span: each step is in force until the next one. Epoch milliseconds.
 */
export type Timeline = { from: number; until: number; steps: { at: number; settings: BookSettings }[] };

/** Tolerance for clock skew between functions and for the duration of a request. */
export const toleranceMs = 60_000;
/**
 * The lifetime of a play URL. A play has the cost and prize table that were in force when its URL was made.
 */
export const playLifetimeMs = 30 * 60_000;

/**
 * Whether the settings satisfied a condition at any moment of a time span. Returns undefined if they did at
 * no known moment but part of the span is unknown.
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
 * Whether the settings satisfied a condition at a time, within clock tolerance. Returns undefined as
 * `wasInForce` does.
 */
export const wasInForceAt = (
  timeline: Timeline,
  at: number,
  holds: (settings: BookSettings) => boolean,
): boolean | undefined => wasInForce(timeline, at - toleranceMs, at + toleranceMs, holds);

/** Returns the settings in force at a time, or the first known settings if the time is earlier. */
export const settingsAt = ({ steps }: Timeline, at: number): BookSettings =>
  steps[Math.max(0, stepAt(steps, at))]!.settings;

/** Returns the index of the last step at or before a time, or -1. */
function stepAt(steps: Timeline['steps'], at: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Checks that an outcome has a cost and a prize table that were in force together. */
export function checkInForce(leaf: OutcomeLeaf, at: number, timeline: Timeline, report: Report): void {
  const isFree = leaf.play_type === 'amoe';
  const cost = (settings: BookSettings) =>
    leaf.cost === (isFree || leaf.debug === 'jackpot' ? 0 : settings[`cost_${leaf.game}`]);
  // `checkPromise` compares the table of a free spin with the one in its order.
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
    // The cost and the table were each in force, but not at the same time.
    if (!tableHeld || costHeld) report.finding('table_not_in_force', `The draw used table ${named(leaf)}.`);
  }
}

/**
 * Checks that a free spin whose order is in an earlier book used a table in force at some time since `from`.
 */
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

/** Returns a test whether settings have this table for the wheel. */
export const hasWheelTable = (version: string) => (settings: BookSettings) =>
  version === settings.prize_table_prizewheel;

const named = ({ game, prize_table_version }: OutcomeLeaf) => `“${prize_table_version}” for ${game}`;
