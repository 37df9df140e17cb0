import { expect, test } from 'vitest';
import {
  changed,
  credit,
  newUser,
  recorded,
  rulesBrokenBy,
  start,
  ticketChange,
  userWithTickets,
  without,
} from './examples.ts';

test('a credit as it should be breaks no rule', () => {
  expect(rulesBrokenBy(credit())).toEqual([]);
});

test('a balance below zero is found', () => {
  const user = { ...userWithTickets(), balances: { tickets: -1, truck: 0, flight: 0 } };
  expect(rulesBrokenBy(changed(credit(), 'USER', user))).toContain('balances are never below zero');
  const inexact = { balances: { tickets: 2 ** 53, truck: 0, flight: 0 } };
  expect(rulesBrokenBy(changed(credit(), 'USER', inexact))).toContain('balances are never below zero');
});

test.each([
  [
    'the balance rises by more than its record says',
    'USER',
    { balances: { tickets: 16, truck: 0, flight: 0 } },
  ],
  ['another balance rises', 'USER', { balances: { tickets: 15, truck: 1, flight: 0 } }],
  ['the record says another balance', 'TICKETS#', { balance_after: 14 }],
  ['the record says another amount', 'TICKETS#', { amount: 4 }],
])('that %s is found', (_, sk, fields) => {
  expect(rulesBrokenBy(changed(credit(), sk, fields))).toContain('balances are the sums of their records');
});

test('a record without its user is found', () => {
  expect(rulesBrokenBy(without(credit(), 'USER'))).toContain('records come with their user');
});

test('a version that is skipped, a user that is made with something, and one that vanishes are found', () => {
  const rule = 'a user changes version by version';
  expect(rulesBrokenBy(changed(credit(), 'USER', { version: 4 }))).toContain(rule);
  const made = { ...newUser(), version: 7 };
  expect(
    rulesBrokenBy({ at: start, by: 'users/create', changes: [{ before: undefined, after: made }] }),
  ).toContain(rule);
  expect(
    rulesBrokenBy({ at: start, by: 'users/update', changes: [{ before: made, after: undefined }] }),
  ).toContain(rule);
});

test('records of one write each report the balance after them', () => {
  const before = userWithTickets();
  const said = [1, 2, 3].map((n) => ticketChange(n, { idempotency_key: `key ${n}` }));
  const { user, records } = recorded(before, said, start);
  const changes = [user, ...records].map((after, index) => ({ before: index ? undefined : before, after }));
  const commit = { at: start, by: 'tickets/credit', changes };
  expect(rulesBrokenBy(commit)).not.toContain('balances are the sums of their records');
});
