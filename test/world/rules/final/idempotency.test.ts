import { describe, expect, test } from 'vitest';
import { start, userId } from '../examples.ts';
import { refusal } from './example-requests.ts';
import { add, asking, type Example, remove, rulesBrokenBy } from './examples.ts';

const once = 'a successful request has one effect and one answer';
const requested = 'every effect was requested, and a refused request has none';
const replays = 'all answers to an idempotency key except one are marked as replays';
const reused = 'a used idempotency key returns its answer or refuses another request';

test('the example breaks no rule', () => {
  expect(rulesBrokenBy(() => {})).toEqual([]);
});

/** Adds a repetition of the credit request with some fields of its body or response replaced. */
const again = (world: Example, answer: object, body: object = {}, sentAt = start + 5000) => {
  const credit = asking(world, 'tickets/credit', 1);
  add(world, credit, {
    sentAt,
    body: { ...credit.body, ...body },
    answer: { ...credit.answer!, ...answer, at: sentAt + 100 },
  });
};

describe('detected:', () => {
  test.each<[string, (world: Example) => void, string]>([
    ['a success is not in the table', (world) => remove(world, 'TICKETS#'), once],
    [
      'a success has another amount',
      (world) => {
        asking(world, 'tickets/credit').body.amount = 11;
      },
      once,
    ],
    [
      'a success was a debit',
      (world) => {
        asking(world, 'tickets/credit').endpoint = 'tickets/debit';
      },
      once,
    ],
    [
      'a success had another description',
      (world) => {
        asking(world, 'tickets/credit').body.description = '';
      },
      once,
    ],
    [
      'a success has another balance',
      (world) => {
        asking(world, 'tickets/credit').answer!.body.new_ticket_balance = 9;
      },
      once,
    ],
    [
      'a replay has another transaction',
      (world) => {
        asking(world, 'tickets/credit', 1).answer!.body.transaction_id = 'txn_other';
      },
      once,
    ],
    [
      'an order is of other spins',
      (world) => {
        asking(world, 'amoe/queue').body.num_of_spins = 3;
      },
      once,
    ],
    [
      'an order is of another day',
      (world) => {
        asking(world, 'amoe/queue').body.result_effective_date = '2026-03-05';
      },
      once,
    ],
    [
      'an order is one to run at once',
      (world) => {
        asking(world, 'amoe/queue').endpoint = 'amoe/guest-play';
      },
      once,
    ],
    [
      'a queue request has another number of spins',
      (world) => {
        asking(world, 'amoe/queue').answer!.body.total_queued_spins = 3;
      },
      once,
    ],
    [
      'a change has no request',
      (world) => {
        for (const nth of [0, 1]) asking(world, 'tickets/credit', nth).path = { user_id: 'usr_other' };
      },
      requested,
    ],
    [
      'a change was refused',
      (world) => {
        for (const nth of [0, 1])
          Object.assign(asking(world, 'tickets/credit', nth).answer!, refusal(503, 'unavailable'));
      },
      requested,
    ],
    [
      'a change came before its request',
      (world) => {
        for (const nth of [0, 1]) asking(world, 'tickets/credit', nth).sentAt = start + 9000;
      },
      requested,
    ],
    [
      'two answers are not marked as replays',
      (world) => {
        delete asking(world, 'tickets/credit', 1).answer!.headers['idempotent-replayed'];
      },
      replays,
    ],
    [
      'a replay is the only answer',
      (world) => {
        world.journal.exchanges = world.journal.exchanges.filter(
          (one) => one !== asking(world, 'tickets/credit'),
        );
      },
      replays,
    ],
    ['a retry is refused', (world) => again(world, refusal(400, 'insufficient_tickets')), reused],
    ['a retry gets a conflict', (world) => again(world, refusal(422, 'idempotency_key_reused')), reused],
    ['a conflicting use succeeds', (world) => again(world, {}, { amount: 3 }), once],
    [
      'a conflicting use is refused with another code',
      (world) => again(world, refusal(404, 'user_not_found'), { amount: 3 }),
      reused,
    ],
    [
      'an unused key gets a conflict',
      (world) => again(world, refusal(422, 'idempotency_key_reused'), { idempotency_key: 'free' }),
      reused,
    ],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

test.each<[string, (world: Example) => void]>([
  ['a retry that is throttled', (world) => again(world, refusal(429, 'too_many_requests'))],
  [
    'a conflicting use that is refused as a conflict',
    (world) => again(world, refusal(422, 'idempotency_key_reused'), { amount: 3 }),
  ],
  [
    'a first answer that was lost',
    (world) => {
      delete asking(world, 'tickets/credit').answer;
    },
  ],
  [
    'an order with its default date',
    (world) => {
      asking(world, 'amoe/queue').body.result_effective_date = '2026-03-06T05:00:00Z';
    },
  ],
])('%s breaks no rule', (_, change) => {
  expect(rulesBrokenBy(change)).toEqual([]);
});

test('users’ idempotency keys are independent', () => {
  const other = (world: Example) => again(world, refusal(404, 'user_not_found'), { amount: 3 });
  expect(
    rulesBrokenBy((world) => {
      other(world);
      world.journal.exchanges.at(-1)!.path = { user_id: `${userId}x` };
    }),
  ).not.toContain(reused);
});
