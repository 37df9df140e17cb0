import { describe, expect, test } from 'vitest';
import type { StoredItem } from '../journal.ts';
import {
  changed,
  commitOf,
  credit,
  recorded,
  rulesBrokenBy,
  start,
  ticketChange,
  ulidOf,
  userWithTickets,
} from './examples.ts';

const numbering = 'records are numbered without gaps';
const chain = 'the hash chain has no gap';
const texts = 'texts of hosts are hashed with the user’s key';
const ids = 'ids of a user increase';

describe('an invalid record or user is detected:', () => {
  test.each([
    ['a sequence number that is skipped', 'TICKETS#', { sequence: 3 }, numbering],
    ['a repeated number of its kind', 'TICKETS#', { number: 1 }, numbering],
    ['a number of an entry type in a ticket record', 'TICKETS#', { number_of_type: 2 }, numbering],
    ['a user that has counted no record', 'USER', { sequence: 1 }, numbering],
    ['counts that are too low', 'USER', { counts: { tickets: 1 } }, numbering],
    ['a wrong hash', 'TICKETS#', { hash: 'x' }, chain],
    ['a field changed after the hash was computed', 'TICKETS#', { amount: 6 }, chain],
    ['texts that do not match their digest', 'TICKETS#', { description: 'another' }, texts],
    ['a user with another key', 'USER', { text_key: 'another' }, texts],
    ['a user with another last hash', 'USER', { last_hash: 'x' }, chain],
    ['another id', 'TICKETS#', { transaction_id: `txn_${ulidOf(start, 9)}` }, ids],
    ['an id of another kind', 'TICKETS#', { transaction_id: `out_${ulidOf(start)}` }, ids],
    ['another time', 'TICKETS#', { date_created: '2026-03-06T15:00:00.001Z' }, ids],
    ['another list of the index', 'TICKETS#', { tpk: 'org#entries#truck' }, ids],
    ['another place in the index', 'TICKETS#', { tsk: ulidOf(start, 2) }, ids],
    ['a user with another last ULID', 'USER', { last_ulid: ulidOf(start + 1) }, ids],
  ])('%s', (_, sk, fields, rule) => {
    expect(rulesBrokenBy(changed(credit(), sk, fields))).toContain(rule);
  });
});

/** Returns a credit whose record has the time `time` and is written at `at`. */
function creditOf(time: number, at: number) {
  const before = userWithTickets();
  const { user, records } = recorded(before, [ticketChange(5, { idempotency_key: 'gift' })], time);
  return commitOf(
    'tickets/credit',
    [
      [before, user],
      [undefined, records[0]],
    ],
    at,
  );
}

test('an id that goes back in time is detected', () => {
  expect(rulesBrokenBy(creditOf(start - 501, start))).toContain(ids);
});

test('a time in the future, or older than a minute, is detected apart from clock skew', () => {
  const ahead = 'no time is in the future';
  expect(rulesBrokenBy(creditOf(start + 2000, start))).not.toContain(ahead);
  expect(rulesBrokenBy(creditOf(start + 2001, start))).toContain(ahead);
  const behind = 'a record is written within a minute of its time';
  expect(rulesBrokenBy(creditOf(start, start + 62_000))).not.toContain(behind);
  expect(rulesBrokenBy(creditOf(start, start + 62_001))).toContain(behind);
});

describe('every 64th record', () => {
  const rule = 'every 64th record has a milestone';
  const milestone = (list: string, number: number): StoredItem => ({
    pk: userWithTickets().pk,
    sk: `NTH#${list}#${String(number).padStart(16, '0')}`,
    ulid: ulidOf(start),
  });
  const entryCredit = (counts: object, ...items: StoredItem[]) => {
    const before = { ...userWithTickets(), counts: { tickets: 1, ...counts } };
    const newFields = { kind: 'entries', entry_type: 'truck', amount: 1, result_effective_date: '' };
    const { user, records } = recorded(before, [newFields], start);
    return commitOf('entries/credit', [
      [before, user],
      ...[records[0]!, ...items].map((item) => [undefined, item] as [undefined, StoredItem]),
    ]);
  };

  test('has a milestone', () => {
    const counts = { entries: 63, 'entries#truck': 60 };
    expect(rulesBrokenBy(entryCredit(counts))).toContain(rule);
    expect(rulesBrokenBy(entryCredit(counts, milestone('entries', 64)))).not.toContain(rule);
  });

  test('of an entry type has a milestone', () => {
    const counts = { entries: 127, 'entries#truck': 63 };
    expect(rulesBrokenBy(entryCredit(counts, milestone('entries', 128)))).toContain(rule);
    const both = [milestone('entries', 128), milestone('entries#truck', 64)];
    expect(rulesBrokenBy(entryCredit(counts, ...both))).not.toContain(rule);
  });

  test('is the only one with a milestone', () => {
    expect(rulesBrokenBy(entryCredit({}, milestone('entries', 1)))).toContain(rule);
  });
});
