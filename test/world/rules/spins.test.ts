import { describe, expect, test } from 'vitest';
import type { Commit } from '../journal.ts';
import { queueing, roundDecided, run } from './example-plays.ts';
import { changed, organizationId, rulesBrokenBy, without } from './examples.ts';

const broken = (run: Commit) => rulesBrokenBy(queueing(), roundDecided(), run);

test('queued spins and their run break no rule', () => {
  expect(rulesBrokenBy(queueing())).toEqual([]);
  expect(broken(run(2))).toEqual([]);
  expect(broken(run(0))).toEqual([]);
});

const queued = 'queued spins equal the remaining spins of orders';
const ran = 'remaining spins decrease by the spins that ran';
const place = 'a due item is in its worker’s shard while spins remain';
const due = 'an order is due on the next day';

describe('an invalid order is detected:', () => {
  test.each<[string, string, object, string]>([
    ['a user with too many queued spins', 'USER', { queued_spins: 6 }, queued],
    ['a due item with too few spins', '2026-03-06#', { remaining: 4 }, ran],
    ['a due item without spins', '2026-03-06#', { remaining: 0 }, place],
    ['a due item in another shard', '2026-03-06#', { pk: `DUE#${organizationId}#32` }, place],
    ['an order that runs at once', 'ORDERS#', { run: 'at_once' }, due],
    ['an order of another history', 'ORDERS#', { last_hash: 'x' }, due],
    ['an order without its beacon', 'ORDERS#', { beacon: undefined }, due],
    ['an order of another table', 'ORDERS#', { prize_table_version: 'x' }, due],
    ['an order of today', 'ORDERS#', { due_day: '2026-03-05' }, due],
    ['an order in two days', 'ORDERS#', { due_day: '2026-03-07' }, due],
    ['an order of too many', 'ORDERS#', { num_of_spins: 1001 }, due],
    ['an order of fewer than remain', 'ORDERS#', { num_of_spins: 4 }, ran],
  ])('%s', (_, sk, fields, rule) => {
    expect(rulesBrokenBy(changed(queueing(), sk, fields))).toContain(rule);
  });

  test('a missing record or due item', () => {
    expect(rulesBrokenBy(without(queueing(), 'ORDERS#'))).toContain(ran);
    expect(rulesBrokenBy(without(queueing(), '2026-03-06#'))).toContain(ran);
  });
});

describe('an invalid spin is detected:', () => {
  test.each<[string, string, object, string]>([
    ['a user whose queued spins do not decrease', 'USER', { queued_spins: 5 }, queued],
    ['a due item that decreases by too many', '2026-03-06#', { remaining: 1 }, ran],
    ['a due item that does not decrease', '2026-03-06#', { remaining: 5 }, ran],
    ['a spin out of its turn', 'OUTCOMES#', { spin_index: 1 }, ran],
    ['a spin with another seed', 'OUTCOMES#', { client_seed: 'x' }, ran],
    ['a spin of an order of another number', 'OUTCOMES#', { order_sequence: 3 }, ran],
    ['a spin of another order', 'OUTCOMES#', { order_id: 'ord_x' }, ran],
    ['a spin with the secret of another day', 'OUTCOMES#', { secret_day: '2026-03-05' }, ran],
    ['a spin that costs', 'OUTCOMES#', { cost: 1 }, ran],
    ['a spin of another game', 'OUTCOMES#', { game: 'truck' }, ran],
    ['a spin of another day', 'OUTCOMES#', { result_effective_date: '2026-03-05T05:00:00.000Z' }, ran],
    ['a spin of another table', 'OUTCOMES#', { prize_table_version: 'x' }, ran],
  ])('%s', (_, sk, fields, rule) => {
    expect(broken(changed(run(2), sk, fields))).toContain(rule);
  });

  test('a missing due item', () => {
    expect(broken(without(run(2), '2026-03-06#'))).toContain(ran);
  });

  test('a spin that ran before', () => {
    expect(rulesBrokenBy(queueing(), roundDecided(), run(2), run(2))).toContain(ran);
  });

  test('a spin that an operator ran', () => {
    expect(broken({ ...run(2), writer: 'an operator' })).toContain(ran);
  });
});

test('a spin before its day is detected, apart from clock skew', () => {
  const midnight = Date.parse('2026-03-06T05:00:00Z');
  expect(broken({ ...run(2), at: midnight - 2001 })).toContain(ran);
  expect(broken({ ...run(2), at: midnight - 2000 })).not.toContain(ran);
});
