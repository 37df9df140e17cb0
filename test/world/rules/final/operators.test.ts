import { describe, expect, test } from 'vitest';
import { organizationId } from '../examples.ts';
import { rulesBrokenBy } from './examples.ts';

const checks = 'an operator’s verification succeeds';
const set = 'a command prints the values that it set';

const run = (command: string, printed: object) =>
  rulesBrokenBy((world) => {
    world.journal.operatorCommands.push({ at: 0, args: command.split(' '), exitCode: 0, printed });
  });

describe('detected:', () => {
  test.each([
    ['a history was altered', 'user verify --org o --user u', { intact: false }, checks],
    ['a draw is wrong', 'outcome verify out_1 --org o', { verified: false }, checks],
    [
      'a printed cost is wrong',
      'game set --org o --game truck --cost 3',
      { games: { truck: { cost: 5 } } },
      set,
    ],
    ['a printed limit is wrong', 'game limits --org o --daily-cash 3', { daily_cash_limit_usd: 500 }, set],
    [
      'a limit is off',
      'game limits --org o --daily-spins 3',
      { daily_spin_limit_on: false, daily_spin_limit: 3 },
      set,
    ],
    ['a limit is on', 'game limits --org o --daily-spins off', { daily_spin_limit_on: true }, set],
    ['rules are still shown', 'game limits --org o --rules-url none', { rules_url: 'https://x' }, set],
  ])('%s', (_, command, printed, rule) => {
    expect(run(command, printed)).toContain(rule);
  });
});

describe('a scheduled change', () => {
  const waiting = (from: string) =>
    rulesBrokenBy((world) => {
      const scheduled = [{ sequence: 3, from, changes: {}, operator: 'ana' }];
      world.items.push({
        pk: `ORG#${organizationId}`,
        sk: 'ORG',
        organization_id: organizationId,
        scheduled,
      });
    });
  const rule = 'no scheduled change is overdue';

  test('may be pending until its time, but not longer', () => {
    expect(waiting('2999-01-01T00:00:00.000Z')).not.toContain(rule);
    expect(waiting('2000-01-01T00:00:00.000Z')).toContain(rule);
  });
});

test('an adjustment that was repeated, or without a command, is detected', () => {
  const rule = 'an adjustment with a key is made once';
  const made = (...ids: string[]) =>
    rulesBrokenBy(({ journal }) => {
      for (const transaction_id of ids) {
        const args = 'user adjust --org o --user u --account truck --amount 3 --once mistake'.split(' ');
        journal.operatorCommands.push({ at: 0, args, exitCode: 0, printed: { transaction_id } });
      }
    });
  expect(made('txn_1', 'txn_1')).not.toContain(rule);
  expect(made('txn_1', 'txn_2')).toContain(rule);
  const unasked = rulesBrokenBy(({ items }) => {
    items.find(({ sk }) => sk.startsWith('TICKETS#'))!.operation_id = 'op_1';
  });
  expect(unasked).toContain(rule);
});

test.each([
  ['user verify --org o --user u', { intact: true }],
  ['game set --org o --game truck --cost 3', { games: { truck: { cost: 3 } } }],
  ['game limits --org o --daily-spins 3', { daily_spin_limit_on: true, daily_spin_limit: 3 }],
  ['game limits --org o --daily-cash 3 --from 2030-01-01', { scheduled: [] }],
  ['game show --org o', {}],
])('%s breaks no rule', (command, printed) => {
  expect(run(command, printed)).toEqual([]);
});
