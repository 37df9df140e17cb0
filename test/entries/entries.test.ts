import { beforeAll, describe, expect, test } from 'vitest';
import { type EntryRecord, milestonesOf } from '../../shared/accounts/records.ts';
import { milestoneKey } from '../../shared/table/keys.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { expectError, expectInvalid, expectSuccess, transactionId } from '../support/expectations.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});
const post = (user: string, direction: string, body: unknown) =>
  api.post(`/users/${user}/entries/${direction}`, body);
const credit = (user: string, body: unknown) => post(user, 'credit', body);
const debit = (user: string, body: unknown) => post(user, 'debit', body);

describe('an entry change', () => {
  test('applies to truck entries by default', async () => {
    const user = await api.user();
    const credited = await credit(user, { amount: 6, idempotency_key: 'a' });
    const common = { user_id: user, type: 'truck', transaction_id: transactionId };
    expectSuccess(credited, { ...common, new_entry_balance: 6, sequence: 1 });
    const debited = await debit(user, { amount: 2, idempotency_key: 'b', description: 'Draw' });
    expectSuccess(debited, { ...common, new_entry_balance: 4, sequence: 2 });
  });

  test('does not affect the other balances', async () => {
    const user = await api.user(9);
    await credit(user, { amount: 5, type: 'truck', idempotency_key: 'a' });
    const flight = await credit(user, { amount: 3, type: 'flight', idempotency_key: 'b' });
    const common = { user_id: user, transaction_id: transactionId };
    expectSuccess(flight, { ...common, type: 'flight', new_entry_balance: 3, sequence: 3 });
    const truck = await debit(user, { amount: 1, type: 'truck', idempotency_key: 'c' });
    expectSuccess(truck, { ...common, type: 'truck', new_entry_balance: 4, sequence: 4 });
    expectSuccess(await api.get(`/users/${user}/tickets/balance`), { balance: 9, sequence: 4 });
    expect((await api.get(`/users/${user}/tickets/history`)).body.transactions).toHaveLength(1);
  });

  test.each(['truck', 'flight'])('is refused if it exceeds the %s entries', async (type) => {
    const user = await api.user(50);
    await credit(user, { amount: 50, type: type === 'truck' ? 'flight' : 'truck', idempotency_key: 'o' });
    const answer = await debit(user, { amount: 1, type, idempotency_key: 'k' });
    expectError(answer, 400, 'insufficient_entries', `insufficient ${type} entry balance`);
    const free = await credit(user, { amount: 1, type, idempotency_key: 'k' });
    expect(free.body.new_entry_balance).toBe(1);
  });
});

describe('a repeated key of an entry change', () => {
  test('returns the first response, with the default type explicit or not', async () => {
    const user = await api.user();
    const first = await credit(user, { amount: 2, idempotency_key: 'k' });
    const again = await credit(user, { amount: 2, idempotency_key: 'k', type: 'truck' });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('with the opposite direction is refused', async () => {
    const user = await api.user();
    await credit(user, { amount: 2, idempotency_key: 'k' });
    const answer = await debit(user, { amount: 2, idempotency_key: 'k' });
    const message = 'idempotency_key already used with different parameters';
    expectError(answer, 422, 'idempotency_key_reused', message);
    const balance = (await credit(user, { amount: 1, idempotency_key: 'next' })).body.new_entry_balance;
    expect(balance).toBe(3);
  });
});

const ok = { amount: 1, idempotency_key: 'k' };
const choice = "type: Input should be 'truck' or 'flight'";
const integer = 'amount: Input should be a valid integer';
const refused: [string, unknown, string, number?][] = [
  ['an unknown type', { ...ok, type: 'boat' }, choice],
  ['a type in capitals', { ...ok, type: 'Truck' }, choice],
  ['an empty type', { ...ok, type: '' }, choice],
  ['a type of null', { ...ok, type: null }, choice],
  ['a type of a property of every object', { ...ok, type: 'toString' }, choice],
  ['tickets as a type', { ...ok, type: 'tickets' }, choice],
  ['zero', { ...ok, amount: 0 }, 'entry amount must be positive', 400],
  ['minus one', { ...ok, amount: -1 }, 'entry amount must be positive', 400],
  ['a wrong type before a wrong amount', { ...ok, amount: 0, type: 'boat' }, choice],
  [
    'a wrong amount before a wrong type',
    { ...ok, amount: 0.5, type: 'boat' },
    `${integer}, got a number with a fractional part`,
  ],
];
describe.each(['credit', 'debit'])('an entry %s is refused for', (direction) => {
  let user: string;
  beforeAll(async () => {
    user = await api.user();
    await credit(user, { amount: 5, idempotency_key: 'start' });
  });
  test.each(refused)('%s', async (_, body, message, status = 422) => {
    expectInvalid(await post(user, direction, body), message, status);
    expectInvalid(await post('nobody', direction, body), message, status);
  });
  test('nothing has changed after all of these', async () => {
    const next = await credit(user, { amount: 1, idempotency_key: 'next' });
    expect(next.body.new_entry_balance).toBe(6);
  });
});

test.each([
  [64, 1, ['entries']],
  [100, 64, ['entries#truck']],
  [128, 64, ['entries', 'entries#truck']],
  [63, 65, []],
] as const)('entry %i, and %i of its type, has its milestones', (number, number_of_type, lists) => {
  const ids = { organization_id: 'org_a', user_id: 'usr_b', transaction_id: `txn_${'0'.repeat(26)}` };
  const record = { ...ids, kind: 'entries', entry_type: 'truck', number, number_of_type } as EntryRecord;
  const keys = lists.map((list) =>
    milestoneKey('org_a', 'usr_b', list, list === 'entries' ? number : number_of_type),
  );
  expect(milestonesOf(record)).toEqual(keys.map((key) => expect.objectContaining(key)));
});
