/** Determines the settings in force at any time, from each book's settings and the recorded changes. */
import { startOfDay } from '../../time.ts';
import type { BookHeader } from '../book.ts';

export type BookSettings = BookHeader['settings'];

/**
 * The settings between `from` and `until` (epoch milliseconds). Each entry of `changes` is in force until the next
 * entry.
 */
export type Timeline = { from: number; until: number; changes: { at: number; settings: BookSettings }[] };

/** The tolerance for clock skew between Lambda functions and for the duration of a request: one minute. */
export const toleranceMs = 60_000;
/**
 * The time within which due spins must run: by the end of a day, even of one with 23 hours. An hour after the day, its
 * secret can be public: whoever can hide due spins and delete checkpoints could draw the spins again until they win.
 */
export const maxSpinDelayMs = 23 * 3_600_000;
/** The time of two sweeps, within which orders that were restored after they were due are closed. */
export const sweepsMs = 30 * 60_000;
/** The lifetime of a play URL. A play has the cost and the prize table that were in force when its URL was created. */
export const playLifetimeMs = 30 * 60_000;

/**
 * Returns all settings in force between `from` and `to`, oldest first, and whether the books show all of these settings
 * (`isKnown`).
 */
export function settingsBetween(
  { from: known, until, changes }: Timeline,
  from: number,
  to: number,
): { all: BookSettings[]; isKnown: boolean } {
  const last = lastChangeAt(changes, to);
  let first = Math.max(0, last);
  while (first > 0 && changes[first]!.at > from) first--;
  const all = changes.slice(first, last + 1).map(({ settings }) => settings);
  return { all, isKnown: from >= known && to <= until };
}

/** Returns the settings in force at a time. Before the earliest known settings, returns the earliest. */
export const settingsAt = ({ changes }: Timeline, at: number): BookSettings =>
  changes[Math.max(0, lastChangeAt(changes, at))]!.settings;

/** Returns the index of the last change at or before a time, or -1 if there is none. */
function lastChangeAt(changes: Timeline['changes'], at: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const starts = new Map<string, number>();
/** Returns the start of a day in epoch milliseconds. Caches the results, because evaluating time zone rules is slow. */
export function beginningOf(day: string): number {
  const start = starts.get(day) ?? startOfDay(day);
  if (starts.size > 1000) starts.clear();
  starts.set(day, start);
  return start;
}
