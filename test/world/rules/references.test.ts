import { expect, test } from 'vitest';
import type { StoredItem } from '../journal.ts';
import {
  changed,
  commitOf,
  iso,
  newUser,
  organizationId,
  rulesBrokenBy,
  start,
  userId,
  without,
} from './examples.ts';

const rule = 'a reference belongs to one user and moves atomically';

const reference = (name: string, of: object = {}): StoredItem => ({
  pk: `REF#${organizationId}#${name}`,
  sk: 'REF',
  user_id: userId,
  external_reference: name,
  date_created: iso(start - 900),
  ...of,
});
const creation = () =>
  commitOf('users/create', [
    [undefined, reference('anna')],
    [undefined, newUser()],
  ]);
const move = () =>
  commitOf('users/update', [
    [newUser(), { ...newUser(), version: 2, external_reference: 'bea' }],
    [undefined, reference('bea')],
    [reference('anna'), undefined],
  ]);

test('a creation, its retry and a change of reference break no rule', () => {
  expect(rulesBrokenBy(creation())).toEqual([]);
  expect(rulesBrokenBy(move())).toEqual([]);
  const again = commitOf('users/create', [
    [reference('anna'), reference('anna', { repeatable_until: start })],
    [newUser(), newUser()],
  ]);
  expect(rulesBrokenBy(again)).toEqual([]);
});

test('a user without its reference, and a reference without its user, are detected', () => {
  expect(rulesBrokenBy(without(creation(), 'REF'))).toContain(rule);
  expect(rulesBrokenBy(without(creation(), 'USER'))).toContain(rule);
});

test('a reference with another user, name or time is detected', () => {
  for (const fields of [
    { user_id: 'usr_other' },
    { external_reference: 'Anna' },
    { date_created: iso(start) },
  ])
    expect(rulesBrokenBy(changed(creation(), 'REF', fields))).toContain(rule);
});

test('a reference taken from another user is detected', () => {
  const taken = commitOf('users/update', [
    ...(move().changes.map(({ before, after }) => [before, after]) as [StoredItem, StoredItem][]),
  ]);
  taken.changes[1]!.before = reference('bea', { user_id: 'usr_other' });
  expect(rulesBrokenBy(taken)).toContain(rule);
});

test('an old reference that remains is detected', () => {
  const kept = move();
  kept.changes.splice(2, 1);
  expect(rulesBrokenBy(kept)).toContain(rule);
});
