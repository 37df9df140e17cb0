import { describe, expect, test } from 'vitest';
import { start } from '../examples.ts';
import { finalRequestsAt } from './example-journal.ts';
import { refusal } from './example-requests.ts';
import { add, asking, type Example, rulesBrokenBy } from './examples.ts';

const read = 'a read returns a real state that is not older than a known one';
const paged = 'pages of a history have no gaps';

/** Adds a request for the ticket balance, sent at `sentAt` and answered with `balance`. */
const balanceAt = (world: Example, sentAt: number, balance: number) => {
  const other = asking(world, 'tickets/balance');
  add(world, other, {
    sentAt,
    answer: { ...other.answer!, at: sentAt + 100, body: { status: 'success', balance } },
  });
};
/** Adds a debit of ten tickets, sent at `sentAt` and refused. */
const debitAt = (world: Example, sentAt: number) => {
  const other = asking(world, 'tickets/credit');
  const body = { amount: 10, idempotency_key: 'debit' };
  add(world, other, {
    endpoint: 'tickets/debit',
    intent: 96,
    body,
    sentAt,
    answer: { at: sentAt + 100, ...refusal(400, 'insufficient_tickets') } as never,
  });
};
const historyOf = (world: Example, nth = 0) => asking(world, 'tickets/history', nth).answer!.body;

describe('detected:', () => {
  test.each<[string, (world: Example) => void, string]>([
    ['a balance that never existed', (world) => balanceAt(world, finalRequestsAt, 77), read],
    ['a balance is outdated', (world) => balanceAt(world, finalRequestsAt, 10), read],
    [
      'a balance is from the future',
      (world) => balanceAt(world, start + 30_000, asking(world, 'tickets/balance').answer!.body.balance),
      read,
    ],
    ['a debit is refused despite a sufficient balance', (world) => debitAt(world, start + 1000), read],
    [
      'a play is refused despite a sufficient balance',
      (world) => {
        const spin = asking(world, 'play/spin');
        add(world, spin, {
          sentAt: start + 1000,
          answer: { at: start + 1100, ...refusal(409, 'insufficient_tickets') } as never,
        });
      },
      read,
    ],
    [
      'a page shows another balance',
      (world) => {
        asking(world, 'play/open').answer!.body.balance = 11;
      },
      read,
    ],
    [
      'a history lacks the newest',
      (world) => {
        historyOf(world).transactions.shift();
      },
      read,
    ],
    [
      'a history has a gap',
      (world) => {
        historyOf(world, 1).transactions = [];
      },
      paged,
    ],
    [
      'a page repeats the one before',
      (world) => {
        historyOf(world, 1).transactions = historyOf(world).transactions;
      },
      paged,
    ],
    [
      'a page exceeds its limit',
      (world) => {
        asking(world, 'tickets/history').query.limit = '1';
      },
      paged,
    ],
    [
      'a last page has a token',
      (world) => {
        historyOf(world, 1).next_token = 'x';
      },
      paged,
    ],
    [
      'a page that is not the last has none',
      (world) => {
        historyOf(world).next_token = '';
      },
      paged,
    ],
    [
      'a row has a wrong field',
      (world) => {
        historyOf(world).transactions[0].amount = 99;
      },
      paged,
    ],
    [
      'outcomes come oldest first',
      (world) => {
        asking(world, 'games/history').answer!.body.items.reverse();
      },
      paged,
    ],
    [
      'a user without enough tickets can play',
      (world) => {
        asking(world, 'games/check-eligibility').answer!.body.restrictions = ['insufficient_tickets'];
      },
      'eligibility matches the restrictions',
    ],
    [
      'a user with enough tickets is refused',
      (world) => {
        Object.assign(asking(world, 'games/check-eligibility').answer!.body, {
          playable: false,
          restrictions: ['insufficient_tickets'],
        });
      },
      read,
    ],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

test('a read during a change may return the state before or after', () => {
  expect(rulesBrokenBy((world) => balanceAt(world, start - 5, 0))).toEqual([]);
  expect(rulesBrokenBy((world) => balanceAt(world, start - 5, 10))).toEqual([]);
  expect(rulesBrokenBy((world) => debitAt(world, start - 5))).toEqual([]);
});

test('after a read of a change, an older state is detected', () => {
  const twice = (first: number, second: number) =>
    rulesBrokenBy((world) => {
      for (const exchange of world.journal.exchanges)
        if (exchange.endpoint === 'tickets/credit') delete exchange.answer;
      balanceAt(world, start + 50, first);
      balanceAt(world, start + 200, second);
    });
  expect(twice(0, 10)).not.toContain(read);
  expect(twice(10, 0)).toContain(read);
});
