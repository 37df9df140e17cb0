/** Checks that each scheduled change of settings was made as scheduled, and not before its time. */
import { settingsChange } from '../../games/settings.ts';
import { canonicalJson } from '../../ids.ts';
import { isoOf } from '../../time.ts';
import type { OperationLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';
import type { BookSettings } from './in-force.ts';

type Change = { from: number; changes: OperationLeaf['after'] };

/** The scheduled changes that have not been made, by the sequence number of the record that scheduled them. */
export type ScheduledChanges = {
  waiting: Map<number, Change>;
  /** Whether the books contain all earlier operations, so that every scheduled change is known. */
  whole: boolean;
};

/** Scheduled changes are made within minutes. If a change was not made within 24 hours, the check reports a finding. */
const maxDelayMs = 24 * 3_600_000;
/** The delay of a scheduled change from which the check adds a notice. Retries and spin sweeps take less time. */
const noticedDelayMs = 3_600_000;

/**
 * Checks an operation that schedules, makes or cancels a change. `settings` are the settings in force before
 * the operation.
 */
export function checkScheduledChange(
  scheduled: ScheduledChanges,
  operation: { leaf: OperationLeaf; at: number },
  settings: Partial<BookSettings>,
  report: Report,
): void {
  const { about: { sequence = 0 } = {} } = operation.leaf;
  const { from = Number.POSITIVE_INFINITY } = scheduled.waiting.get(sequence) ?? {};
  for (const fault of faultsOf(scheduled, operation, settings))
    report.finding('scheduled_change_differs', fault);
  if (operation.at > from + noticedDelayMs)
    report.notice('scheduled_change_late', `Change ${sequence} was due at ${isoOf(from)}.`);
}

function* faultsOf(
  { waiting, whole }: ScheduledChanges,
  { leaf, at }: { leaf: OperationLeaf; at: number },
  settings: Partial<BookSettings>,
): Generator<string> {
  const { action, about = {}, after } = leaf;
  if (action === 'scheduled') {
    const { from, changes } = about;
    if (from && changes) waiting.set(leaf.sequence, { from: Date.parse(from), changes });
    else yield 'The record does not say what is scheduled or when.';
  }
  const { sequence } = about;
  if (sequence === undefined || (action !== 'changed' && action !== 'unscheduled')) return;
  const change = waiting.get(sequence);
  waiting.delete(sequence);
  if (!change && whole) yield `No scheduled change with sequence number ${sequence} was waiting.`;
  if (!change) return;
  if (at > change.from + maxDelayMs)
    yield `Change ${sequence} waited for more than a day after its time, ${isoOf(change.from)}.`;
  if (action === 'unscheduled') return;
  const isFirst = [...waiting].every(
    ([other, { from }]) => from > change.from || (from === change.from && other > sequence),
  );
  if (!isFirst) yield `Change ${sequence} was made before one that was scheduled for an earlier time.`;
  if (at < change.from) yield `Change ${sequence} was made before its time, ${isoOf(change.from)}.`;
  const expected = settingsChange(settings, change.changes).after;
  if (canonicalJson(after) !== canonicalJson(expected))
    yield `Change ${sequence} was scheduled as ${canonicalJson(change.changes)}, but made differently.`;
}

/**
 * Reports scheduled changes that were not made within a day of their time. `until` is the end of the last given day
 * (epoch milliseconds).
 */
export function reportUnmadeChanges({ waiting }: ScheduledChanges, until: number, report: Report): void {
  for (const [sequence, { from }] of waiting) {
    if (from + maxDelayMs > until) continue;
    report.finding(
      'scheduled_change_differs',
      `Change ${sequence}, scheduled for ${isoOf(from)}, was not made.`,
    );
  }
}
