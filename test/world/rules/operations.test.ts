import { describe, expect, test } from 'vitest';
import { exampleOperation } from './example-operations.ts';
import { changed, rulesBrokenBy, without } from './examples.ts';

const recorded = 'what an operator changes is recorded with it';

test('a change with its record breaks no rule, be it the first or a later one', () => {
  expect(rulesBrokenBy(exampleOperation({ cost_truck: 3 }))).toEqual([]);
  expect(rulesBrokenBy(exampleOperation({ cost_truck: 3 }, { by: 'debug/daily-cash-limit' }))).not.toEqual(
    [],
  );
  expect(
    rulesBrokenBy(exampleOperation({ daily_cash_limit_usd: 3 }, { by: 'debug/daily-cash-limit' })),
  ).toEqual([]);
});

describe('it is found that an operator’s change', () => {
  test.each<[string, string, object]>([
    ['is not the next of its chain', 'OPERATIONS#', { sequence: 3 }],
    ['has a hash that does not follow', 'OPERATIONS#', { hash: 'x' }],
    ['was done by nobody', 'OPERATIONS#', { operator: '' }],
    ['is another than its record says', 'OPERATIONS#', { after: { cost_truck: 4 } }],
    ['is more than its record says', 'ORG', { cost_flight: 4 }],
    ['is not where it should be in the index', 'OPERATIONS#', { byTimePk: 'org_other#operations' }],
    ['is not counted', 'ORG', { operations: 1 }],
  ])('%s', (_, sk, fields) => {
    expect(rulesBrokenBy(changed(exampleOperation({ cost_truck: 3 }), sk, fields))).toContain(recorded);
  });

  test('has no record', () => {
    expect(rulesBrokenBy(without(exampleOperation({ cost_truck: 3 }), 'OPERATIONS#'))).toContain(recorded);
  });

  test('was of something else before', () => {
    const commit = changed(exampleOperation({ cost_truck: 3 }), 'OPERATIONS#', { before: { cost_truck: 4 } });
    expect(rulesBrokenBy(commit)).toContain('an operation says what it changed');
  });
});
