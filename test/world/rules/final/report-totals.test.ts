import { expect, test } from 'vitest';
import { organizationId, userId } from '../examples.ts';
import { type Example, rulesBrokenBy } from './examples.ts';

const rule = 'totals of reports equal the ledger';
const day = '2026-03-06';

const holdings = ({ items }: Example) =>
  items.find(({ sk, user_id }) => sk === 'USER' && user_id === userId)!.balances;
const liability = (world: Example, more = 0) => ({
  agrees: true,
  rows: Object.entries(holdings(world) as Record<string, number>).map(([account, balance], at) => ({
    account,
    held_by: 'users',
    balance: balance + (at === 0 ? more : 0),
    users: balance > 0 ? 1 : 0,
  })),
});

const broken = (command: string, printed: (world: Example) => object, exitCode = 0) =>
  rulesBrokenBy((world) => {
    const args = [...command.split(' '), '--org', organizationId];
    world.journal.operatorCommands.push({ at: 0, args, exitCode, printed: printed(world) });
  });

test('totals that match the stored data break no rule', () => {
  expect(broken('report liability', (world) => liability(world))).toEqual([]);
  expect(broken('report amoe', () => ({ rows: [], unexplained_draws: 0 }))).toEqual([]);
});

test.each<[string, string, (world: Example) => object, number?]>([
  ['a report has a ticket that no user has', 'report liability', (world) => liability(world, 1)],
  [
    'the report says that sums do not agree',
    'report liability',
    (world) => ({ ...liability(world), agrees: false }),
  ],
  ['granted cash was not won', 'report cash', () => ({ rows: [{ day, sum_usd: 1_000_000 }], sum_usd: 0 })],
  ['a draw is not explained', 'report amoe', () => ({ rows: [], unexplained_draws: 1 })],
  ['plays are missing', `report day --day ${day}`, () => ({ rows: [{ figure: 'plays', value: 77 }] })],
  ['a report fails', 'report amoe', () => ({ rows: [], unexplained_draws: 0 }), 1],
])('detected: %s', (_, command, printed, exitCode) => {
  expect(broken(command, printed, exitCode)).toContain(rule);
});
