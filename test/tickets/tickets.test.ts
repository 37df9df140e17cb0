import { beforeAll, describe, expect, test } from 'vitest';
import { readUser } from '../../shared/accounts/user.ts';
import { putItem } from '../../shared/table/client.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import {
  expectError,
  expectInvalid,
  expectNoReplay,
  expectSuccess,
  transactionId,
} from '../support/expectations.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});
type Change = { amount?: unknown; description?: unknown; idempotency_key?: unknown };
const credit = (user: string, change: Change) => api.post(`/users/${user}/tickets/credit`, change);
const debit = (user: string, change: Change) => api.post(`/users/${user}/tickets/debit`, change);
const balance = (user: string) => api.get(`/users/${user}/tickets/balance`);
const history = (user: string) => api.get(`/users/${user}/tickets/history`);

describe('a ticket change', () => {
  test('returns the new balance and the transaction’s id', async () => {
    const user = await api.user();
    expectSuccess(await balance(user), { balance: 0, sequence: 0 });
    const credited = await credit(user, { amount: 12, idempotency_key: 'a' });
    const answer = { user_id: user, transaction_id: transactionId };
    expectSuccess(credited, { ...answer, new_ticket_balance: 12, sequence: 1 });
    const debited = await debit(user, { amount: 5, idempotency_key: 'b', description: 'A ride' });
    expectSuccess(debited, { ...answer, new_ticket_balance: 7, sequence: 2 });
    expect(debited.body.transaction_id).not.toBe(credited.body.transaction_id);
    expectSuccess(await balance(user), { balance: 7, sequence: 2 });
  });

  test('ignores unknown fields', async () => {
    const user = await api.user();
    const extra = { user_id: 'usr_other', type: 'nothing', balance: 99 };
    const answer = await credit(user, { amount: 3, idempotency_key: 'a', ...extra } as Change);
    const fields = { user_id: user, new_ticket_balance: 3, transaction_id: transactionId, sequence: 1 };
    expectSuccess(answer, fields);
  });

  test('accepts the longest key and description and the largest amount', async () => {
    const user = await api.user();
    const longest = { idempotency_key: '🎟'.repeat(255), description: '🎡'.repeat(500) };
    const answer = await credit(user, { amount: 1_000_000_000, ...longest });
    expect(answer.body.new_ticket_balance).toBe(1_000_000_000);
    expect((await history(user)).body.transactions[0]).toMatchObject(longest);
  });

  test('accepts a whole number in any JSON notation', async () => {
    const user = await api.user();
    const spellings = ['5', '5.0', '50e-1', '0.5E+1'];
    for (const [index, spelling] of spellings.entries()) {
      const body = `{"amount": ${spelling}, "idempotency_key": "k${index}"}`;
      const answer = await api.post(`/users/${user}/tickets/credit`, body);
      expect(answer.body.new_ticket_balance).toBe(5 * (index + 1));
    }
  });

  test('below zero is refused, and changes neither the balance nor the key', async () => {
    const user = await api.user(4);
    const refused = await debit(user, { amount: 5, idempotency_key: 'k' });
    expectError(refused, 400, 'insufficient_tickets', 'insufficient ticket balance');
    expectSuccess(await balance(user), { balance: 4, sequence: 1 });
    const other = await debit(user, { amount: 4, idempotency_key: 'k' });
    expect(other.body.new_ticket_balance).toBe(0);
    expectNoReplay(other);
  });
});

test('a balance has the number of the last event in it', async () => {
  const user = await api.user(2);
  const entries = await api.post(`/users/${user}/entries/credit`, { amount: 9, idempotency_key: 'e' });
  await api.post(`/users/${user}/game/queue`, { num_of_spins: 1, idempotency_key: 'q' });
  const play = await api.post(`/debug/users/${user}/games/play`, { result: 'tickets_only' });
  await api.post(`${new URL(play.body.url).pathname}/spin`, {});
  const debited = await debit(user, { amount: 1, idempotency_key: 'd' });
  const { events } = (await api.get('/events', { user_id: user })).body;
  type Event = { sequence: number; data: { balance_type?: string; new_balance: number } };
  const balanceAt = (sequence: number, type: string) =>
    events.findLast((event: Event) => event.sequence <= sequence && event.data.balance_type === type).data
      .new_balance;
  expect(entries.body.sequence).toBe(2);
  expect(balanceAt(2, 'truck')).toBe(entries.body.new_entry_balance);
  expect(debited.body.sequence).toBe(events.at(-1).sequence);
  const { new_ticket_balance, sequence } = debited.body;
  expect(balanceAt(sequence, 'tickets')).toBe(new_ticket_balance);
  expectSuccess(await balance(user), { balance: new_ticket_balance, sequence });
});

describe('a repeated idempotency key', () => {
  test('returns the first response with the header Idempotent-Replayed', async () => {
    const user = await api.user(10);
    const change = { amount: 3, idempotency_key: 'again', description: 'x' };
    const first = await debit(user, change);
    await credit(user, { amount: 50, idempotency_key: 'between' });
    const again = await debit(user, change);
    expectNoReplay(first);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expectSuccess(again, { ...first.body });
    expectSuccess(await balance(user), { balance: 57, sequence: 3 });
    expect((await history(user)).body.transactions).toHaveLength(3);
  });

  test('matches the first request even if a default is now explicit', async () => {
    const user = await api.user();
    const first = await credit(user, { amount: 1, idempotency_key: 'k' });
    const again = await credit(user, { amount: 1, idempotency_key: 'k', description: '' });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test.each([
    ['the opposite direction', 'debit', {}],
    ['the opposite direction, more than there is', 'debit', { amount: 1000 }],
  ])('with %s is refused', async (_, direction, difference) => {
    const user = await api.user(20);
    await credit(user, { amount: 1, idempotency_key: 'k' });
    const change = { amount: 1, idempotency_key: 'k', ...difference };
    const answer = await api.post(`/users/${user}/tickets/${direction}`, change);
    const message = 'idempotency_key already used with different parameters';
    expectError(answer, 422, 'idempotency_key_reused', message);
    expectSuccess(await balance(user), { balance: 21, sequence: 2 });
  });

  test('is independent of the same key for another user or entries, and of other spellings', async () => {
    const [user, neighbour] = [await api.user(), await api.user()];
    const change = { amount: 1, idempotency_key: 'key' };
    const answers = [
      await credit(user, change),
      await credit(neighbour, change),
      await api.post(`/users/${user}/entries/credit`, change),
      await credit(user, { ...change, idempotency_key: 'Key' }),
      await credit(user, { ...change, idempotency_key: ' key' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(times(5, () => 200));
    for (const answer of answers) expectNoReplay(answer);
    expect((await balance(user)).body.balance).toBe(3);
  });
});

const integer = 'amount: Input should be a valid integer';
const fraction = `${integer}, got a number with a fractional part`;
const positive = 'ticket amount must be positive';
const aboveMax = 'amount: Input should be less than or equal to 1000000000';
const key = 'idempotency_key: ';
const ok = { amount: 1, idempotency_key: 'k' };
const text = 'Input should be a valid string';
const refused: [string, unknown, string, number?][] = [
  ['an absent amount', { idempotency_key: 'k' }, 'amount: Field required'],
  ['an amount of null', { ...ok, amount: null }, integer],
  ['an amount in quotes', { ...ok, amount: '5' }, integer],
  ['an amount that is true', { ...ok, amount: true }, integer],
  ['a fraction', { ...ok, amount: 1.5 }, fraction],
  ['the smallest fraction', { ...ok, amount: 5e-324 }, fraction],
  ['zero', { ...ok, amount: 0 }, positive, 400],
  ['minus zero', '{"amount": -0, "idempotency_key": "k"}', positive, 400],
  ['minus one', { ...ok, amount: -1 }, positive, 400],
  ['minus 1e308', { ...ok, amount: -1e308 }, positive, 400],
  ['1e308', { ...ok, amount: 1e308 }, aboveMax],
  ['2^53 + 1', '{"amount": 9007199254740993, "idempotency_key": "k"}', aboveMax],
  ['more than a number holds', '{"amount": 1e999, "idempotency_key": "k"}', integer],
  ['an absent key', { amount: 1 }, `${key}Field required`],
  ['a key of null', { ...ok, idempotency_key: null }, key + text],
  ['a key that is a number', { ...ok, idempotency_key: 7 }, key + text],
  ['a key of half a surrogate pair', { ...ok, idempotency_key: '\udc00' }, key + text],
  ['a description of null', { ...ok, description: null }, `description: ${text}`],
  ['the first of two wrong fields', { amount: 'x', idempotency_key: 5 }, integer],
  ['a wrong shape before a wrong amount', { amount: 0 }, `${key}Field required`],
  ['the last of a field given twice', '{"amount": 5, "idempotency_key": "k", "amount": 0}', positive, 400],
];
describe.each(['credit', 'debit'])('a ticket %s is refused for', (direction) => {
  let user: string;
  beforeAll(async () => {
    user = await api.user(3);
  });
  test.each(refused)('%s', async (_, body, message, status = 422) => {
    expectInvalid(await api.post(`/users/${user}/tickets/${direction}`, body), message, status);
    expectInvalid(await api.post(`/users/nobody/tickets/${direction}`, body), message, status);
  });
  test('nothing has changed after all of these', async () => {
    expectSuccess(await balance(user), { balance: 3, sequence: 1 });
    expect((await history(user)).body.transactions).toHaveLength(1);
  });
});

test('a credit that would exceed the largest safe integer is refused', async () => {
  const user = await api.user(1);
  // Writes the balance to the table directly. Reaching this balance through the API would take nine million
  // requests.
  const stored = await readUser(api.organizationId, user);
  await putItem({ ...stored, balances: { ...stored.balances, tickets: Number.MAX_SAFE_INTEGER - 3 } });
  const tooMuch = await credit(user, { amount: 4, idempotency_key: 'k' });
  expectInvalid(tooMuch, 'amount: Input should be less than or equal to 3');
  const fits = await credit(user, { amount: 3, idempotency_key: 'k' });
  expect(fits.body.new_ticket_balance).toBe(Number.MAX_SAFE_INTEGER);
});
