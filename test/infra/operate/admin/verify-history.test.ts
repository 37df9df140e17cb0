import { describe, expect, test } from 'vitest';
import { verifyHistory } from '../../../../infra/operate/admin/verify-history.ts';
import { post } from '../../../../shared/accounts/post.ts';
import { append, type HistoryRecord } from '../../../../shared/accounts/records.ts';
import type { User } from '../../../../shared/accounts/user.ts';
import { leafLineOf } from '../../../../shared/books/leaf-line.ts';
import { newOutcome } from '../../../support/records.ts';

const now = Date.UTC(2026, 0, 15, 12);
const fresh: User = {
  pk: 'USER#o#u',
  sk: 'USER',
  organization_id: 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  user_id: 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  external_reference: 'ref',
  date_created: '2026-01-15T12:00:00.000Z',
  balances: { tickets: 0, truck: 0, flight: 0 },
  queued_spins: 0,
  plays: { day: '', count: 0 },
  version: 1,
  sequence: 0,
  last_hash: '',
  text_key: 'secret',
};

/** Returns a user's history: a credit of tickets, a credit of entries, an outcome and a debit. */
function history(timeOf = (_index: number) => now) {
  const posted = { description: '', idempotency_key: 'key' };
  const tickets = post(fresh, { account: 'tickets', amount: 10, ...posted }, timeOf(0));
  const entries = post(tickets.user, { account: 'truck', amount: 2, ...posted }, timeOf(1));
  const outcome = append(entries.user, newOutcome('2026-01-15T05:00:00.000Z'), timeOf(2));
  const spent = post(outcome.user, { account: 'tickets', amount: -4, ...posted }, timeOf(3));
  const records: HistoryRecord[] = [tickets.record, entries.record, outcome.record, spent.record];
  return { user: spent.user, records };
}
const altered = (records: HistoryRecord[], index: number, change: object) =>
  records.map((record, i) => (i === index ? { ...record, ...change } : record));

describe('a history', () => {
  test('of all kinds of records is intact in any order', () => {
    const { user, records } = history();
    expect(verifyHistory(user, records.toReversed())).toMatchObject({ records: 4, intact: true, faults: [] });
    expect(verifyHistory(fresh, [])).toMatchObject({ intact: true });
  });

  test.each([
    ['amount', { amount: 1_000 }],
    ['time', { date_created: '2026-01-14T12:00:00.000Z' }],
    ['hash', { hash: 'x' }],
    ['an added field', { note: 'x' }],
  ])('is not intact when a record has another %s', (_, change) => {
    const { user, records } = history();
    expect(verifyHistory(user, altered(records, 0, change)).intact).toBe(false);
  });

  test.each([0, 1, 2, 3])('is not intact when record %i is missing', (index) => {
    const { user, records } = history();
    expect(verifyHistory(user, records.toSpliced(index, 1)).intact).toBe(false);
  });

  test.each([0, 1, 2, 3])(
    'is not intact when record %i is replaced by another with a correct hash',
    (index) => {
      const { user, records } = history();
      const other = history((i) => (i === index ? now + 1 : now));
      expect(verifyHistory(other.user, other.records).intact).toBe(true);
      expect(verifyHistory(user, records.with(index, other.records[index]!)).intact).toBe(false);
    },
  );

  test('is not intact when a balance exceeds its records', () => {
    const { user, records } = history();
    const richer = { ...user, balances: { ...user.balances, flight: 1 } };
    expect(verifyHistory(richer, records).faults).toEqual([
      'the user has 1 flight, but the records add up to 0',
    ]);
  });

  test('may have newer records than the user that was read', () => {
    const { user, records } = history();
    const later = post(user, { account: 'flight', amount: 1, description: '', idempotency_key: 'key' }, now);
    expect(verifyHistory(user, [...records, later.record])).toMatchObject({ records: 4, intact: true });
  });
});

describe('the history of an erased user', () => {
  const emptied = (record: HistoryRecord) =>
    'idempotency_key' in record ? { ...record, idempotency_key: '', description: '' } : record;
  test('is intact, and says that the texts were not checked', () => {
    const { user, records } = history();
    expect(verifyHistory(user, records).intact).toBe(true);
    const left = records.map(emptied);
    expect(left.map(leafLineOf)).toEqual(records.map(leafLineOf));
    expect(verifyHistory(user, left).intact).toBe(false);
    const erased: User = { ...user, external_reference: '', erased_at: 'then' };
    delete erased.text_key;
    const { intact, not_checked } = verifyHistory(erased, left);
    expect([intact, not_checked.length]).toEqual([true, 2]);
  });
});
