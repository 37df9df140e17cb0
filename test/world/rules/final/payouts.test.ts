import { expect, test } from 'vitest';
import { organizationId, start } from '../examples.ts';
import { itemAt, rulesBrokenBy } from './examples.ts';

const twice = 'the payout check counts no play twice';
const unchecked = 'wins are compared with the odds within hours';
const stray = 'every prize won was in its draw';

/** Returns a log line of the payout check for the example's organization. */
const line = (message: string, fields: object) =>
  JSON.stringify({ message, organization_id: organizationId, ...fields });
const figures = line('payouts', { prizewheel_regular: 1, prizewheel_amoe: 2, cash: 5 });
const logged = (...lines: string[]) => rulesBrokenBy(({ journal }) => journal.logs.push(...lines));

test('plays that are counted once or not at all break no rule', () => {
  for (const lines of [[], [figures]]) expect(logged(...lines)).toEqual([]);
});

test('plays that are counted twice are detected', () => {
  expect(logged(figures, line('payouts', { prizewheel_regular: 1 }))).toContain(twice);
  expect(logged(line('payouts', { truck_amoe: 1 }))).toContain(twice);
});

test('plays that stay unchecked without faults are detected', () => {
  const checkedUntil = (checked_until: number) =>
    rulesBrokenBy((world) => {
      Object.assign(world, { faultFreeFrom: 0 });
      Object.assign(itemAt(world, 'PAYOUTS'), { checked_until });
    });
  expect(checkedUntil(start)).toContain(unchecked);
  expect(checkedUntil(start + 24 * 3_600_000)).not.toContain(unchecked);
});

test('a prize that was not in its draw is detected', () => {
  expect(logged(line('prizes were not in their draws', { outcomes: 1 }))).toContain(stray);
});
