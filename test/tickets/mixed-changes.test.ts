import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Api, newOrganization, times } from '../support/api.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});
const change = (user: string, direction: string, amount: number, key: string) =>
  api.post(`/users/${user}/tickets/${direction}`, { amount, idempotency_key: key });
const balanceOf = async (user: string) => (await api.get(`/users/${user}/tickets/balance`)).body.balance;
const succeeded = (answers: Answer[]) => answers.filter(({ status }) => status === 200);

describe('changes of one user at once', () => {
  test('never take the balance below zero, and each debit is covered or refused', async () => {
    const user = await api.user(10);
    const answers = await Promise.all(times(10, (i) => change(user, 'debit', 3, `d${i}`)));
    const done = succeeded(answers);
    expect(done.map(({ body }) => body.new_ticket_balance).sort()).toEqual([1, 4, 7]);
    const others = answers.filter(({ status }) => status !== 200);
    expect(new Set(others.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['400 insufficient_tickets']),
    );
    expect(await balanceOf(user)).toBe(1);
  });

  test('add up, whichever of the debits found enough', async () => {
    const user = await api.user(5);
    const requests = times(12, (i) => [i % 2 === 0 ? 'credit' : 'debit', 1 + (i % 5), `k${i}`] as const);
    const answers = await Promise.all(requests.map((request) => change(user, ...request)));
    let expected = 5;
    for (const [index, [direction, amount]] of requests.entries()) {
      if (answers[index]!.status !== 200) {
        expect(direction).toBe('debit');
        expect(answers[index]!.body.code).toBe('insufficient_tickets');
      } else expected += direction === 'credit' ? amount : -amount;
    }
    expect(await balanceOf(user)).toBe(expected);
    const { transactions } = (await api.get(`/users/${user}/tickets/history`, { limit: 100 })).body;
    const sum = transactions.reduce((total: number, { amount }: { amount: number }) => total + amount, 0);
    expect(sum).toBe(expected);
    expect(transactions).toHaveLength(succeeded(answers).length + 1);
  });

  test('with one key in opposite directions leave exactly one of them', async () => {
    const user = await api.user(100);
    const answers = await Promise.all(
      times(10, (i) => change(user, i % 2 === 0 ? 'credit' : 'debit', 10, 'same')),
    );
    const balances = new Set(succeeded(answers).map(({ body }) => body.new_ticket_balance));
    expect(balances.size).toBe(1);
    expect(succeeded(answers)).toHaveLength(5);
    const reused = answers.filter(({ status }) => status === 422);
    expect(reused.map(({ body }) => body.code)).toEqual(times(5, () => 'idempotency_key_reused'));
    expect(await balanceOf(user)).toBe([...balances][0]);
  });

  test('of tickets and of entries do not get lost for each other', async () => {
    const user = await api.user();
    const entries = (type: string, key: string) =>
      api.post(`/users/${user}/entries/credit`, { amount: 1, type, idempotency_key: key });
    const answers = await Promise.all(
      times(5, (i) => [
        change(user, 'credit', 1, `k${i}`),
        entries('truck', `t${i}`),
        entries('flight', `f${i}`),
      ]).flat(),
    );
    expect(succeeded(answers)).toHaveLength(15);
    expect(await balanceOf(user)).toBe(5);
    const last = await entries('flight', 'last');
    expect(last.body.new_entry_balance).toBe(6);
  });
});
