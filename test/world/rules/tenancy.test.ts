import { expect, test } from 'vitest';
import { exampleOperation } from './example-operations.ts';
import { play } from './example-plays.ts';
import { changed, commitOf, credit, rulesBrokenBy } from './examples.ts';

test('an item with two organizations or users is detected', () => {
  const rule = 'every item belongs to one organization and user';
  expect(rulesBrokenBy(changed(credit(), 'TICKETS#', { organization_id: 'org_other' }))).toContain(rule);
  expect(rulesBrokenBy(changed(credit(), 'TICKETS#', { user_id: 'usr_other' }))).toContain(rule);
  expect(rulesBrokenBy(changed(credit(), 'TICKETS#', { tpk: 'org_other#tickets#0' }))).toContain(rule);
  expect(rulesBrokenBy(changed(credit(), 'USER', { organization_id: 'org_other' }))).toContain(rule);
  expect(rulesBrokenBy(commitOf('x', [[undefined, { pk: 'NEW#x', sk: 'x' }]]))).toContain(rule);
});

test('a write for two organizations is detected', () => {
  const commit = changed(play('cash_usd'), 'BUDGET', { pk: 'BUDGET#org_other#cash#2026-03-06#0' });
  expect(rulesBrokenBy(commit)).toContain('a write belongs to one organization');
});

test('an unauthorized write is detected', () => {
  const rule = 'only authorized functions write an item';
  expect(rulesBrokenBy({ ...credit(), writer: 'tickets/debit' })).toEqual([]);
  for (const writer of ['tickets/history', 'users/update', 'events/send-webhook'])
    expect(rulesBrokenBy({ ...credit(), writer })).toContain(rule);
  expect(rulesBrokenBy(exampleOperation({ cost_truck: 3 }))).toEqual([]);
  const writer = 'debug/daily-cash-limit';
  expect(rulesBrokenBy(exampleOperation({ daily_cash_limit_usd: 3 }, { writer }))).toEqual([]);
  expect(rulesBrokenBy(exampleOperation({ cost_truck: 3 }, { writer }))).toContain(rule);
  expect(rulesBrokenBy(exampleOperation({ cost_truck: 3 }, { writer: 'games/play' }))).toContain(rule);
});
