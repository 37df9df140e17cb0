/** Checks an organization's operations, which form a hash chain, and derives the settings in force. */
import * as z from 'zod/mini';
import { settingsChange } from '../../games/settings.ts';
import { canonicalJson } from '../../ids.ts';
import { addDays, isoOf, startOfDay } from '../../time.ts';
import { games } from '../../vocabulary.ts';
import { settings as allSettings } from '../fields.ts';
import type { OperationLeaf } from '../leaves.ts';
import { followLinks, type Links } from './chain.ts';
import type { Report } from './findings.ts';
import type { BookSettings, Timeline } from './in-force.ts';
import { checkScheduledChange, reportUnmadeChanges, type ScheduledChanges } from './scheduled-changes.ts';
import { isVersion, versionBy } from './tables.ts';

/** An operation, with its line in the records file (`text`), the line's number, and its time in epoch milliseconds. */
export type Operation = { leaf: OperationLeaf; text: string; line: number; at: number };

/** Returns the operation that opened the organization, or undefined if it is not among the given operations. */
export const openingAmong = (operations: readonly Operation[]): OperationLeaf | undefined =>
  operations.find(({ leaf }) => leaf.action === 'opened')?.leaf;

/** Checks an operation, appends it to the chain `links` and adds a notice about it. */
export function checkOperation(links: Links, { leaf, text, at }: Operation, report: Report): void {
  if (links.since === 0 && leaf.sequence === 1) links.since = 1;
  followLinks(links, leaf, text, true, report);
  const { action, operator, about = {}, table, before, after } = leaf;
  const who = `${operator}, ${isoOf(at)}`;
  if (action === 'changed') {
    report.notice('settings_changed', `${who}: ${canonicalJson(before)} to ${canonicalJson(after)}.`);
  } else if (action === 'page_changed') report.notice('page_changed', `${who}: ${canonicalJson(about)}.`);
  else {
    const what = action === 'opened' ? after : about;
    report.notice('operator_acted', `${who}: ${action} ${canonicalJson(what)}.`);
  }
  if (table && versionBy(table.game, table.prizes) !== table.version) {
    report.finding('table_altered', `The prizes of table “${table.version}” do not match its version.`);
  }
  for (const game of games) {
    const version = after[`prize_table_${game}`];
    if (version !== undefined && !isVersion(game, version)) {
      report.finding(
        'table_altered',
        `The version “${version}” is not of ${game}, or does not contain a digest of its prizes.`,
      );
    }
  }
}

/** The operations of a day, and the settings at the end of the day according to the day's book. */
type OperatedDay = { day: string; settings: BookSettings; operations: readonly Operation[] };
/** Returns the functions that record findings about an operation, or about the whole day if no operation is given. */
type OperationReport = (day: string, operation?: Operation) => Report;

/**
 * Checks the recorded and scheduled changes of consecutive days. Returns the settings in force. `whole`: no earlier day
 * is missing.
 */
export function timelineOf(days: readonly OperatedDay[], whole: boolean, report: OperationReport): Timeline {
  const [first, last] = [days[0]!, days.at(-1)!];
  let settings = settingsAtStart(first);
  const start = startOfDay(first.day);
  const opened = first.operations.find(({ leaf }) => leaf.action === 'opened');
  const changes: Timeline['changes'] = settings ? [{ at: start, settings }] : [];
  const scheduled: ScheduledChanges = { waiting: new Map(), whole };
  for (const { day, operations, settings: recorded } of days) {
    for (const operation of operations) {
      checkScheduledChange(scheduled, operation, settings ?? {}, report(day, operation));
      settings = changed(settings, operation, report(day, operation));
      // Leaves out actions that change no settings, because hosts can change their page thousands of times.
      if (Object.keys(operation.leaf.after).length > 0) changes.push({ at: operation.at, settings });
    }
    if (canonicalJson(settings) !== canonicalJson(recorded)) {
      report(day).finding(
        'settings_differ',
        'The settings differ from those of the day before plus the day’s changes.',
      );
    }
    settings = recorded;
    changes.push({ at: startOfDay(addDays(day, 1)), settings });
  }
  const until = startOfDay(addDays(last.day, 1));
  reportUnmadeChanges(scheduled, until, report(last.day));
  // The organization had no settings before its opening, so the time before the opening counts as known.
  return { from: opened ? Number.NEGATIVE_INFINITY : start, until, changes };
}

/** Returns the settings at the beginning of a day, or undefined if the organization was opened that day. */
function settingsAtStart({ settings, operations }: OperatedDay): BookSettings | undefined {
  let earlier: BookSettings = settings;
  for (const { leaf } of operations.toReversed()) {
    if (leaf.action === 'opened') return undefined;
    earlier = { ...earlier, ...asSettings(leaf.before) };
  }
  return earlier;
}

type SomeSettings = OperationLeaf['after'];
const asSettings = (some: SomeSettings) => some as Partial<BookSettings>;

function changed(settings: BookSettings | undefined, { leaf }: Operation, report: Report): BookSettings {
  const { action, before, after } = leaf;
  if (action === 'opened') {
    if (settings) report.finding('settings_differ', 'The organization was already open.');
    const all = z.safeParse(allSettings, after);
    if (!all.success)
      report.finding('settings_differ', 'The record that opened the organization lacks some settings.');
    return all.success ? all.data : { ...(settings as BookSettings), ...asSettings(after) };
  }
  const [recorded, expected] = [{ before, after }, settingsChange(settings ?? {}, after)].map(canonicalJson);
  if (recorded !== expected)
    report.finding('settings_differ', `The record says ${recorded}; the rules give ${expected}.`);
  return { ...(settings as BookSettings), ...asSettings(after) };
}
