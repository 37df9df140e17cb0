import { describe, expect, test } from 'vitest';
import { type Example, itemAt, remove, rulesBrokenBy } from './examples.ts';

describe('detected in the whole history:', () => {
  test.each<[string, (world: Example) => void, string]>([
    [
      'a record is gone',
      (world) => remove(world, 'OUTCOMES#'),
      'records are numbered without gaps, over the whole history',
    ],
    [
      'a record was altered',
      (world) => {
        itemAt(world, 'TICKETS#').amount = 6;
      },
      'the hash chain has no gap, over the whole history',
    ],
    [
      'the text of a record was altered',
      (world) => {
        itemAt(world, 'TICKETS#').description = 'x';
      },
      'texts of hosts are hashed with the user’s key, over the whole history',
    ],
    [
      'a balance is wrong',
      (world) => {
        itemAt(world, 'USER').balances.tickets = 1;
      },
      'balances are the sums of their records, over the whole history',
    ],
    [
      'a balance is below zero',
      (world) => {
        itemAt(world, 'USER').balances.truck = -1;
      },
      'balances are never negative, over the whole history',
    ],
    [
      'an id is another',
      (world) => {
        itemAt(world, 'TICKETS#').transaction_id = 'txn_x';
      },
      'ids of a user increase, over the whole history',
    ],
    [
      'there is an additional milestone',
      (world) => {
        world.items.push({ pk: itemAt(world, 'USER').pk, sk: 'NTH#tickets#1', ulid: 'x' });
      },
      'every 64th record has a milestone, over the whole history',
    ],
    [
      'spins are queued without an order',
      (world) => {
        itemAt(world, 'USER').queued_spins = 1;
      },
      'queued spins equal the remaining spins of orders, over the whole history',
    ],
    ['a record belongs to no user', (world) => remove(world, 'USER'), 'every record belongs to a user'],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

test('a rule that throws is a violation', () => {
  expect(
    rulesBrokenBy((world) => {
      itemAt(world, 'USER').balances = undefined;
    }).length,
  ).toBeGreaterThan(1);
});
