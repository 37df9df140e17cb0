import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, newOrganization, times } from '../support/api.ts';
import { expectOneUse } from '../support/expectations.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});
const credit = (user: string, amount: number, key: string) =>
  api.post(`/users/${user}/tickets/credit`, { amount, idempotency_key: key });
const debit = (user: string, amount: number, key: string) =>
  api.post(`/users/${user}/tickets/debit`, { amount, idempotency_key: key });
const balanceOf = async (user: string) => (await api.get(`/users/${user}/tickets/balance`)).body.balance;

describe('concurrent changes of tickets', () => {
  test('twenty concurrent credits of one user all succeed, each with a different balance', async () => {
    const user = await api.user();
    const answers = await Promise.all(times(20, (i) => credit(user, 1, `key-${i}`)));
    expect(answers.map(({ status }) => status)).toEqual(times(20, () => 200));
    const balances = answers.map(({ body }) => body.new_ticket_balance).sort((a, b) => a - b);
    expect(balances).toEqual(times(20, (i) => i + 1));
    expect(await balanceOf(user)).toBe(20);
  });

  test('twenty concurrent requests with one key have one effect and one response', async () => {
    const user = await api.user();
    const answers = await Promise.all(times(20, () => credit(user, 7, 'same')));
    expectOneUse(answers);
    expect(await balanceOf(user)).toBe(7);
  });

  test('a repeated debit returns the first response, even if the balance no longer covers it', async () => {
    const user = await api.user(5);
    const first = await debit(user, 5, 'spend');
    const again = await debit(user, 5, 'spend');
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});
