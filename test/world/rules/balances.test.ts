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

test('a valid credit breaks no rule', () => {
  expect(rulesBrokenBy(credit())).toEqual([]);
});

test('a negative balance is detected', () => {
  const user = { ...userWithTickets(), balances: { tickets: -1, truck: 0, flight: 0 } };
  expect(rulesBrokenBy(changed(credit(), 'USER', user))).toContain('balances are never negative');
  const inexact = { balances: { tickets: 2 ** 53, truck: 0, flight: 0 } };
  expect(rulesBrokenBy(changed(credit(), 'USER', inexact))).toContain('balances are never negative');
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
])('detected: %s', (_, sk, fields) => {
  expect(rulesBrokenBy(changed(credit(), sk, fields))).toContain('balances are the sums of their records');
});

test('a record without its user is detected', () => {
  expect(rulesBrokenBy(without(credit(), 'USER'))).toContain('records are written with their user');
});

test('a skipped version, a new user with content and a deleted user are detected', () => {
  const rule = 'each change increments the user’s version';
  expect(rulesBrokenBy(changed(credit(), 'USER', { version: 4 }))).toContain(rule);
  const made = { ...newUser(), version: 7 };
  expect(
    rulesBrokenBy({ at: start, writer: 'users/create', changes: [{ before: undefined, after: made }] }),
  ).toContain(rule);
  expect(
    rulesBrokenBy({ at: start, writer: 'users/update', changes: [{ before: made, after: undefined }] }),
  ).toContain(rule);
});

test('each record of a write has the balance after it', () => {
  const before = userWithTickets();
  const newFields = [1, 2, 3].map((n) => ticketChange(n, { idempotency_key: `key ${n}` }));
  const { user, records } = recorded(before, newFields, start);
  const changes = [user, ...records].map((after, index) => ({ before: index ? undefined : before, after }));
  const commit = { at: start, writer: 'tickets/credit', changes };
  expect(rulesBrokenBy(commit)).not.toContain('balances are the sums of their records');
});
