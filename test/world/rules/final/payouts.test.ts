import { expect, test } from 'vitest';
import { organizationId, start } from '../examples.ts';
import { itemAt, rulesBrokenBy } from './examples.ts';

const twice = 'no play is in the figures of payouts twice';
const unchecked = 'what is won is compared with the odds, up to the last hours';
const stray = 'no prize is won that was not in its draw';

/** A log line of the payout check, for the example's play and two free spins. */
const line = (message: string, fields: object) =>
  JSON.stringify({ message, organization_id: organizationId, ...fields });
const figures = line('payouts', { prizewheel_regular: 1, prizewheel_amoe: 2, cash: 5 });
const logged = (...lines: string[]) => rulesBrokenBy(({ journal }) => journal.logs.push(...lines));

test('plays that are in the figures once, or in none, break no rule', () => {
  for (const lines of [[], [figures]]) expect(logged(...lines)).toEqual([]);
});

test('it is found that plays are in the figures twice', () => {
  expect(logged(figures, line('payouts', { prizewheel_regular: 1 }))).toContain(twice);
  expect(logged(line('payouts', { truck_amoe: 1 }))).toContain(twice);
});

test('it is found that plays are not checked once all is well', () => {
  const checkedUntil = (checked_until: number) =>
    rulesBrokenBy((world) => {
      Object.assign(world, { faultFreeFrom: 0 });
      Object.assign(itemAt(world, 'PAYOUTS'), { checked_until });
    });
  expect(checkedUntil(start)).toContain(unchecked);
  expect(checkedUntil(start + 24 * 3_600_000)).not.toContain(unchecked);
});

test('it is found that a prize was won that was not in its draw', () => {
  expect(logged(line('prizes were not in their draws', { outcomes: 1 }))).toContain(stray);
});
