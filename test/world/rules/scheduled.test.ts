import { describe, expect, test } from 'vitest';
import type { Commit } from '../journal.ts';
import { exampleOperation } from './example-operations.ts';
import { changed, rulesBrokenBy } from './examples.ts';

const rule = 'a change that is set for a day waits for it, and is made once';
const changes = { cost_truck: 3 };
const waiting = (sequence: number, from: string) => ({ sequence, from, changes, operator: 'somebody' });
const today = waiting(1, '2026-03-06');
const later = waiting(2, '2026-03-07');

/** An operation, before and after which some changes wait. */
const operation = (before: object[], after: object[], said: object, set: object = {}): Commit =>
  changed(exampleOperation(set, { more: { scheduled: before }, said }), 'ORG', { scheduled: after });

const schedule = { action: 'scheduled', about: { from: later.from, changes } };
const make = (sequence: number) => ({ action: 'changed', about: { sequence } });
const takeBack = (sequence: number) => ({ action: 'unscheduled', about: { sequence } });

describe('a change that is set for a day', () => {
  test.each<[string, Commit]>([
    ['is set', operation([today], [today, later], schedule)],
    ['is made on it', operation([today, later], [later], make(1), changes)],
    ['is taken back', operation([today, later], [today], takeBack(2))],
    ['stays as it is beside another', operation([later], [later], { action: 'changed' }, { cost_truck: 4 })],
  ])('breaks no rule if it %s', (_, commit) => {
    expect(rulesBrokenBy(commit)).not.toContain(rule);
  });

  test.each<[string, Commit]>([
    ['is forgotten when it is set', operation([today], [today], schedule)],
    ['takes the place of another', operation([today], [later], schedule)],
    ['is set for a day that has begun', operation([], [waiting(2, '2026-03-05')], past())],
    ['is made before its day', operation([later], [], make(2), changes)],
    ['is made and waits on', operation([today], [today], make(1), changes)],
    ['is made a second time', operation([], [], make(1), changes)],
    ['takes another with it', operation([today, later], [], make(1), changes)],
    ['is made as another', operation([today], [], make(1), { cost_truck: 4 })],
    ['is taken back and waits on', operation([today], [today], takeBack(1))],
    ['vanishes beside another', operation([later], [], { action: 'changed' }, { cost_truck: 4 })],
  ])('is found if it %s', (_, commit) => {
    expect(rulesBrokenBy(commit)).toContain(rule);
  });
});

function past() {
  return { action: 'scheduled', about: { from: '2026-03-05', changes } };
}
