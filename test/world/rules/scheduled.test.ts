import { describe, expect, test } from 'vitest';
import type { Commit } from '../journal.ts';
import { exampleOperation } from './example-operations.ts';
import { changed, iso, rulesBrokenBy, start } from './examples.ts';

const rule = 'a scheduled change is applied once, on time';
const changes = { cost_truck: 3 };
const waiting = (sequence: number, from: string) => ({ sequence, from, changes, operator: 'somebody' });
const due = waiting(1, iso(start - 1000));
const later = waiting(2, iso(start + 120_000));

/** An operation with the scheduled changes before and after it. */
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
    ['is set', operation([due], [due, later], schedule)],
    ['is made at it', operation([due, later], [later], make(1), changes)],
    ['is taken back', operation([due, later], [due], takeBack(2))],
    ['stays as it is beside another', operation([later], [later], { action: 'changed' }, { cost_truck: 4 })],
  ])('breaks no rule: it %s', (_, commit) => {
    expect(rulesBrokenBy(commit)).not.toContain(rule);
  });

  test.each<[string, Commit]>([
    ['is forgotten when it is set', operation([due], [due], schedule)],
    ['takes the place of another', operation([due], [later], schedule)],
    ['is set for a time that has passed', operation([], [waiting(2, long)], past())],
    ['is made hours late', operation([waiting(1, long)], [], make(1), changes)],
    ['is made before its time', operation([later], [], make(2), changes)],
    ['is made and waits on', operation([due], [due], make(1), changes)],
    ['is made a second time', operation([], [], make(1), changes)],
    ['takes another with it', operation([due, later], [], make(1), changes)],
    ['is made as another', operation([due], [], make(1), { cost_truck: 4 })],
    ['is taken back and waits on', operation([due], [due], takeBack(1))],
    ['vanishes beside another', operation([later], [], { action: 'changed' }, { cost_truck: 4 })],
  ])('is detected: it %s', (_, commit) => {
    expect(rulesBrokenBy(commit)).toContain(rule);
  });
});

function past() {
  return { action: 'scheduled', about: { from: long, changes } };
}
