import { describe, expect, test } from 'vitest';
import { type Example, itemAt, remove, rulesBrokenBy } from './examples.ts';

describe('it is found at the end that', () => {
  test.each<[string, (world: Example) => void, string]>([
    [
      'a record is gone',
      (world) => remove(world, 'OUTCOMES#'),
      'records are numbered without a gap, from first to last',
    ],
    [
      'a record was altered',
      (world) => {
        itemAt(world, 'TICKETS#').amount = 6;
      },
      'the chain of hashes has no gap, from first to last',
    ],
    [
      'the text of a record was altered',
      (world) => {
        itemAt(world, 'TICKETS#').description = 'x';
      },
      'texts of a host are digested with the user’s key, from first to last',
    ],
    [
      'a balance is another',
      (world) => {
        itemAt(world, 'USER').balances.tickets = 1;
      },
      'balances are the sums of their records, from first to last',
    ],
    [
      'a balance is below zero',
      (world) => {
        itemAt(world, 'USER').balances.truck = -1;
      },
      'balances are never below zero, from first to last',
    ],
    [
      'an id is another',
      (world) => {
        itemAt(world, 'TICKETS#').transaction_id = 'txn_x';
      },
      'ids of a user follow each other, from first to last',
    ],
    [
      'a milestone is too many',
      (world) => {
        world.items.push({ pk: itemAt(world, 'USER').pk, sk: 'NTH#tickets#1', ulid: 'x' });
      },
      'every 64th record is a milestone, from first to last',
    ],
    [
      'spins are queued that no order has',
      (world) => {
        itemAt(world, 'USER').queued_spins = 1;
      },
      'queued spins are what remains of the orders, from first to last',
    ],
    ['a record is of nobody', (world) => remove(world, 'USER'), 'every record is of a user'],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

test('what a rule cannot look at is found', () => {
  expect(
    rulesBrokenBy((world) => {
      itemAt(world, 'USER').balances = undefined;
    }).length,
  ).toBeGreaterThan(1);
});
