import { describe, expect, test } from 'vitest';
import { exampleOperation } from './example-operations.ts';
import {
  changed,
  commitOf,
  credit,
  recorded as recordedFor,
  rulesBrokenBy,
  start,
  ticketChange,
  ulidOf,
  userId,
  userWithTickets,
  without,
} from './examples.ts';

const recorded = 'a change of settings is recorded in the same write';

test('a change of settings with its operation breaks no rule', () => {
  expect(rulesBrokenBy(exampleOperation({ cost_truck: 3 }))).toEqual([]);
  expect(
    rulesBrokenBy(exampleOperation({ cost_truck: 3 }, { writer: 'debug/daily-cash-limit' })),
  ).not.toEqual([]);
  expect(
    rulesBrokenBy(exampleOperation({ daily_cash_limit_usd: 3 }, { writer: 'debug/daily-cash-limit' })),
  ).toEqual([]);
});

describe('an invalid operation is detected: it', () => {
  test.each<[string, string, object]>([
    ['is not the next of its chain', 'OPERATIONS#', { sequence: 3 }],
    ['has a hash that does not follow', 'OPERATIONS#', { hash: 'x' }],
    ['has no operator', 'OPERATIONS#', { operator: '' }],
    ['has other values than its record', 'OPERATIONS#', { after: { cost_truck: 4 } }],
    ['changes more than its record', 'ORG', { cost_flight: 4 }],
    ['is not where it should be in the index', 'OPERATIONS#', { tpk: 'org_other#operations' }],
    ['is not counted', 'ORG', { operations: 1 }],
  ])('%s', (_, sk, fields) => {
    expect(rulesBrokenBy(changed(exampleOperation({ cost_truck: 3 }), sk, fields))).toContain(recorded);
  });

  test('has no record', () => {
    expect(rulesBrokenBy(without(exampleOperation({ cost_truck: 3 }), 'OPERATIONS#'))).toContain(recorded);
  });

  test('has wrong former values', () => {
    const commit = changed(exampleOperation({ cost_truck: 3 }), 'OPERATIONS#', { before: { cost_truck: 4 } });
    expect(rulesBrokenBy(commit)).toContain('an operation has the correct former values');
  });
});

describe('an adjustment', () => {
  const adjusted = 'an adjustment is written with its operation';

  /** Returns the write in which an operator takes four tickets from a user who has ten. */
  function adjustment() {
    const operation_id = `op_${ulidOf(start)}`;
    const before = userWithTickets();
    const { user, records } = recordedFor(before, [ticketChange(-4, { operation_id })], start);
    const [record] = records;
    const about = {
      user_id: userId,
      transaction_id: record!.transaction_id,
      account: 'tickets',
      amount: -4,
      balance: { before: 10, after: 6 },
    };
    const operationFields = {
      action: 'balance_adjusted',
      about,
      why: 'a mistake',
      texts: 'digest',
      before: {},
      after: {},
    };
    const { changes } = exampleOperation({}, { operationFields });
    return commitOf('operator', [
      [before, user],
      [undefined, record],
      ...changes.map(({ before, after }) => [before, after] as const),
    ] as Parameters<typeof commitOf>[1]);
  }

  test('with its operation breaks no rule', () => {
    expect(rulesBrokenBy(adjustment())).toEqual([]);
  });

  test('that differs from its operation, or has none, is detected', () => {
    const about = { user_id: userId, transaction_id: 'txn_other', account: 'tickets', amount: -4 };
    expect(rulesBrokenBy(changed(adjustment(), 'OPERATIONS#', { about }))).toContain(adjusted);
    expect(rulesBrokenBy(changed(adjustment(), 'OPERATIONS#', { why: undefined }))).toContain(adjusted);
    expect(rulesBrokenBy(without(adjustment(), 'OPERATIONS#'))).toContain(adjusted);
    expect(rulesBrokenBy(without(adjustment(), 'TICKETS#'))).toContain(adjusted);
  });

  test('is the only record that an operator may write', () => {
    expect(rulesBrokenBy({ ...credit(), writer: 'operator' })).toContain(adjusted);
  });
});
