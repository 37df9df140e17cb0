import { describe, expect, test } from 'vitest';
import type { Commit } from '../journal.ts';
import { queueing, roundDecided, run } from './example-plays.ts';
import { changed, rulesBrokenBy, without } from './examples.ts';

test('spins that are queued, and spins that run, break no rule', () => {
  expect(rulesBrokenBy(queueing())).toEqual([]);
  expect(rulesBrokenBy(roundDecided(), run(2))).toEqual([]);
  expect(rulesBrokenBy(roundDecided(), run(0))).toEqual([]);
});

const queued = 'queued spins are what remains of the orders';
const ran = 'what remains of an order falls by the spins that ran';
const index = 'an order is in the index while spins of it remain';
const due = 'an order is due on the next day';

describe('what is wrong with an order or its spins is found:', () => {
  test.each<[string, Commit, string, object, string]>([
    ['a user with too many spins', queueing(), 'USER', { queued_spins: 6 }, queued],
    ['a user whose spins do not become fewer', run(2), 'USER', { queued_spins: 5 }, queued],
    ['an order that falls by too many', run(2), 'SPINS#', { remaining: 1 }, ran],
    ['an order that does not fall', run(2), 'SPINS#', { remaining: 5 }, ran],
    ['a spin out of its turn', run(2), 'OUTCOMES#', { spin_index: 1 }, ran],
    ['a spin with another seed', run(2), 'OUTCOMES#', { client_seed: 'x' }, ran],
    ['a spin of an order of another number', run(2), 'OUTCOMES#', { order_sequence: 3 }, ran],
    ['a spin of another order', run(2), 'OUTCOMES#', { order_id: 'ord_x' }, ran],
    ['a spin with the secret of another day', run(2), 'OUTCOMES#', { secret_day: '2026-03-05' }, ran],
    ['a spin that costs', run(2), 'OUTCOMES#', { cost: 1 }, ran],
    ['a spin of another game', run(2), 'OUTCOMES#', { game: 'truck' }, ran],
    [
      'a spin of another day',
      run(2),
      'OUTCOMES#',
      { result_effective_date: '2026-03-05T05:00:00.000Z' },
      ran,
    ],
    ['an order that is new with less', queueing(), 'SPINS#', { remaining: 4 }, ran],
    ['an order without its record', without(queueing(), 'ORDERS#'), 'USER', {}, due],
    ['a record of fewer spins', queueing(), 'ORDERS#', { num_of_spins: 4 }, due],
    ['a record of another way to run', queueing(), 'ORDERS#', { run: 'at_once' }, due],
    ['an order of another number', queueing(), 'SPINS#', { order_sequence: 1 }, due],
    ['an order of another history', queueing(), 'SPINS#', { last_hash: 'x' }, due],
    ['an order without its beacon', queueing(), 'SPINS#', { beacon: undefined }, due],
    ['a promise without a beacon', queueing(), 'ORDERS#', { beacon: undefined }, due],
    ['an order of another table', queueing(), 'SPINS#', { prize_table_version: 'x' }, due],
    ['a promise of another table', queueing(), 'ORDERS#', { prize_table_version: 'x' }, due],
    ['a spin of another table', run(2, { prize_table_version: 'x' }), 'USER', {}, ran],
    ['an order of today', queueing(), 'SPINS#', { due_day: '2026-03-05' }, due],
    ['an order in two days', queueing(), 'SPINS#', { due_day: '2026-03-07' }, due],
    ['an order of too many', queueing(), 'SPINS#', { num_of_spins: 1001, remaining: 1001 }, due],
    ['an order of another shard', queueing(), 'SPINS#', { byTimePk: 'org#due#4' }, index],
    ['an order in no index', run(2), 'SPINS#', { byTimePk: undefined, byTimeSk: undefined }, index],
    ['an order that stays in the index', run(0), 'SPINS#', { byTimePk: 'org#due', byTimeSk: 'x' }, index],
  ])('%s', (_, commit, sk, fields, rule) => {
    expect(rulesBrokenBy(changed(commit, sk, fields))).toContain(rule);
  });
});

test('spins without their order, and an order that vanishes, are found', () => {
  expect(rulesBrokenBy(without(run(2), 'SPINS#'))).toContain(ran);
  const gone = run(0);
  gone.changes[1]!.after = undefined;
  expect(rulesBrokenBy(gone)).toContain(ran);
});

test('a guest’s order keeps the outcomes of its spins', () => {
  expect(rulesBrokenBy(run(2, { outcomes: [] }))).toContain(ran);
});

test('a spin before its day is found, but for what a clock may be ahead', () => {
  const rule = 'no spin runs before its day';
  const midnight = Date.parse('2026-03-06T05:00:00Z');
  expect(rulesBrokenBy({ ...run(2), at: midnight - 2001 })).toContain(rule);
  expect(rulesBrokenBy({ ...run(2), at: midnight - 2000 })).not.toContain(rule);
});
