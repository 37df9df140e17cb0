import { beforeAll, describe, expect, test } from 'vitest';
import { tableClient } from '../../shared/table/client.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { whileCopiesLag } from '../support/calls.ts';
import { expectInvalid, expectSuccess, instant, transactionId } from '../support/expectations.ts';
import { invoke } from '../support/invoke.ts';

let api: Api;
let user: string;
beforeAll(async () => {
  api = await newOrganization();
  user = await api.user();
  for (const i of times(12, (index) => index)) {
    await api.post(`/users/${user}/tickets/credit`, { amount: i + 1, idempotency_key: `key ${i}` });
  }
});
const history = (query: Record<string, string | number> = {}, of = user) =>
  api.get(`/users/${of}/tickets/history`, query);
const amounts = (answer: Awaited<ReturnType<typeof history>>) =>
  answer.body.transactions.map(({ amount }: { amount: number }) => amount);

describe('the ticket history', () => {
  test('shows ten transactions by default, newest first', async () => {
    const page = await history();
    expect(page.body.limit).toBe(10);
    expect(amounts(page)).toEqual(times(10, (i) => 12 - i));
    expect(page.body.next_token).toMatch(/^[\w-]+$/);
  });

  test('shows each transaction with the contract’s fields only', async () => {
    const solo = await api.user();
    await api.post(`/users/${solo}/tickets/credit`, { amount: 9, idempotency_key: 'c' });
    await api.post(`/users/${solo}/tickets/debit`, { amount: 4, idempotency_key: 'd', description: 'Out' });
    const common = { transaction_id: transactionId, date_created: instant };
    expectSuccess(await history({}, solo), {
      limit: 10,
      next_token: '',
      transactions: [
        { ...common, amount: -4, idempotency_key: 'd', description: 'Out' },
        { ...common, amount: 9, idempotency_key: 'c', description: '' },
      ],
    });
  });

  test('is empty for a user without transactions', async () => {
    const nothing = { next_token: '', transactions: [] };
    const solo = await api.user();
    expectSuccess(await history({}, solo), { limit: 10, ...nothing });
    expectSuccess(await history({ limit: 0 }, solo), { limit: 0, ...nothing });
  });

  test('is empty for a limit of 0, and says whether rows follow', async () => {
    const first = (await history({ limit: 1 })).body;
    for (const before of [{}, { next_token: first.next_token }]) {
      const none = await history({ limit: 0, ...before });
      expect(none.body).toMatchObject({ transactions: [], next_token: expect.stringMatching(/^[\w-]+$/) });
      const again = await history({ limit: 0, next_token: none.body.next_token });
      const next = await history({ limit: 50, next_token: again.body.next_token });
      expect(next.body).toEqual((await history({ limit: 50, ...before })).body);
    }
  });

  test.each([1, 5, 6, 11, 12, 13, 1000])('has no gaps or repetitions in pages of %i', async (limit) => {
    const seen: number[] = [];
    let token = '';
    do {
      const page = await history({ limit, ...(token ? { next_token: token } : {}) });
      expect(page.body.limit).toBe(limit);
      expect(page.body.transactions.length).toBeGreaterThan(0);
      seen.push(...amounts(page));
      token = page.body.next_token;
    } while (token);
    expect(seen).toEqual(times(12, (i) => 12 - i));
  });

  test('continues at the same place after newer transactions', async () => {
    const solo = await api.user();
    const credit = (amount: number) =>
      api.post(`/users/${solo}/tickets/credit`, { amount, idempotency_key: `${amount}` });
    for (const amount of [1, 2, 3, 4]) await credit(amount);
    const first = await history({ limit: 2 }, solo);
    await credit(5);
    const second = await history({ limit: 2, next_token: first.body.next_token }, solo);
    expect([amounts(first), amounts(second)]).toEqual([
      [4, 3],
      [2, 1],
    ]);
  });

  test('treats an empty token as absent', async () => {
    expect(amounts(await history({ limit: 1, next_token: '' }))).toEqual([12]);
  });

  test('ignores unknown parameters', async () => {
    const odd = '?constructor=1&__proto__=2&toString=3&limit=1&user_id=x&=&a';
    expect(amounts(await api.get(`/users/${user}/tickets/history${odd}`))).toEqual([12]);
  });

  test('uses the last of a repeated parameter', async () => {
    expect(amounts(await api.get(`/users/${user}/tickets/history?limit=3&limit=2`))).toEqual([12, 11]);
  });
});

const integer = 'limit: Input should be a valid integer';
test.each([
  ['-1', 'limit must be greater than or equal to 0', 400],
  ['-99999999999999999999', 'limit must be greater than or equal to 0', 400],
  ['99999999999999999999', 'limit: Input should be less than or equal to 1000', 422],
  ['1.5', `${integer}, got a number with a fractional part`, 422],
  ['', integer, 422],
  ['1e3', integer, 422],
  ['0x10', integer, 422],
  ['ten', integer, 422],
  ['٥', integer, 422],
])('a limit of "%s" is refused, also for an unknown user', async (limit, message, status) => {
  expectInvalid(await history({ limit }), message, status);
  expectInvalid(await history({ limit }, 'nobody'), message, status);
});

test.each(['05', '5.0'])('a limit of "%s" is five', async (limit) => {
  expect(amounts(await history({ limit }))).toHaveLength(5);
});

describe('a page token', () => {
  const refusal = 'next_token: Input should come from an earlier page of this list, with the same filters';
  const tokenOf = async () => (await history({ limit: 2 })).body.next_token as string;

  test.each([
    ['a number', '123'],
    ['not of this alphabet', 'a token!'],
    ['nonsense', 'bm9uc2Vuc2U'],
    ['a null', '\u0000'],
    ['a property of every object', '__proto__'],
  ])('that is %s is refused', async (_, next_token) => {
    expectInvalid(await history({ next_token }), refusal);
    expectInvalid(await history({ next_token, limit: 0 }), refusal);
  });

  test('that was altered is refused', async () => {
    const token = await tokenOf();
    const altered = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
    for (const wrong of [altered, token.slice(1), `${token}A`, `${token}=`, token.toLowerCase()]) {
      expectInvalid(await history({ next_token: wrong }), refusal);
    }
  });

  test('of another user or organization is refused', async () => {
    const token = await tokenOf();
    const neighbour = await api.user(1);
    expectInvalid(await history({ next_token: token }, neighbour), refusal);
    const other = await newOrganization();
    const theirs = await other.user(1);
    const path = `/users/${theirs}/tickets/history`;
    expectInvalid(await other.get(path, { next_token: token }), refusal);
  });

  test('of more than 2048 characters is refused', async () => {
    const message = 'next_token: String should have at most 2048 characters';
    expectInvalid(await history({ next_token: 'a'.repeat(2049) }), message);
  });
});

test('the histories of a user have what was written a moment ago', async () => {
  const request = { organizationId: api.organizationId, path: { user_id: user } };
  const { body } = await whileCopiesLag(tableClient, () => invoke('tickets/history', request));
  expect(body.transactions).toHaveLength(10);
});
