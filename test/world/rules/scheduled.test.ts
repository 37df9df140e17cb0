import { describe, expect, test } from 'vitest';
import type { Commit } from '../journal.ts';
import { exampleOperation } from './example-operations.ts';
import { changed, iso, rulesBrokenBy, start } from './examples.ts';

const rule = 'a scheduled change is applied once, on time';
const changes = { cost_truck: 3 };
const waiting = (sequence: number, from: string) => ({ sequence, from, changes, operator: 'somebody' });
const due = waiting(1, iso(start - 1000));
const later = waiting(2, iso(start + 120_000));

/**
 * Returns a write with an operation that changes settings to `set` and scheduled changes from `before` to
 * `after`.
 */
const operation = (before: object[], after: object[], operationFields: object, set: object = {}): Commit =>
  changed(exampleOperation(set, { more: { scheduled: before }, operationFields }), 'ORG', {
    scheduled: after,
  });

const long = iso(start - 4 * 3_600_000);
const schedule = { action: 'scheduled', about: { from: later.from, changes } };
const make = (sequence: number) => ({ action: 'changed', about: { sequence } });
const takeBack = (sequence: number) => ({ action: 'unscheduled', about: { sequence } });

describe('a scheduled change', () => {
  test.each<[string, Commit]>([
    ['is scheduled', operation([due], [due, later], schedule)],
    ['is applied at its time', operation([due, later], [later], make(1), changes)],
    ['is cancelled', operation([due, later], [due], takeBack(2))],
    [
      'stays unchanged during another change',
      operation([later], [later], { action: 'changed' }, { cost_truck: 4 }),
    ],
  ])('breaks no rule: it %s', (_, commit) => {
    expect(rulesBrokenBy(commit)).not.toContain(rule);
  });

  test.each<[string, Commit]>([
    ['is not stored when it is scheduled', operation([due], [due], schedule)],
    ['replaces another', operation([due], [later], schedule)],
    ['is scheduled for the past', operation([], [waiting(2, long)], past())],
    ['is applied hours late', operation([waiting(1, long)], [], make(1), changes)],
    ['is applied before its time', operation([later], [], make(2), changes)],
    ['is applied but stays pending', operation([due], [due], make(1), changes)],
    ['is applied a second time', operation([], [], make(1), changes)],
    ['removes another', operation([due, later], [], make(1), changes)],
    ['is applied with other values', operation([due], [], make(1), { cost_truck: 4 })],
    ['is cancelled but stays pending', operation([due], [due], takeBack(1))],
    ['disappears during another change', operation([later], [], { action: 'changed' }, { cost_truck: 4 })],
  ])('is detected: it %s', (_, commit) => {
    expect(rulesBrokenBy(commit)).toContain(rule);
  });
});

function past() {
  return { action: 'scheduled', about: { from: long, changes } };
}
