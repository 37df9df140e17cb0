import { beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../../../infra/operate/admin/cli.ts';
import { readUser } from '../../../../shared/accounts/user.ts';
import type { ActionRecord } from '../../../../shared/actions/action-records.ts';
import { adjustBalance } from '../../../../shared/actions/adjust-balance.ts';
import { freezeUser } from '../../../../shared/actions/freeze.ts';
import { tableClient } from '../../../../shared/table/client.ts';
import { actionsByTime } from '../../../../shared/table/keys.ts';
import { readRange } from '../../../../shared/table/ranges.ts';
import { type Api, newOrganization } from '../../../support/api.ts';
import { watchingCalls } from '../../../support/calls.ts';
import { brokenConnection } from '../../../support/dynamodb-errors.ts';
import { testContext } from '../../../support/test-context.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});

type Options = Record<string, string | undefined>;

/** Runs the command `user adjust` with default options. `options` override the defaults. */
async function adjust(user: string, options: Options) {
  const merged: Options = { org: api.organizationId, user, account: 'tickets', why: 'a mistake', ...options };
  const args = Object.entries(merged).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const [out, error]: [string[], string[]] = [[], []];
  const output = { out: (text: string) => out.push(text), error: (text: string) => error.push(text) };
  const code = await runCommand(['user', 'adjust', ...args, '--stage', 'local'], output);
  return { code, json: code === 0 ? JSON.parse(out.join('')) : undefined, error: error.join('') };
}

const actions = async () => (await readRange(actionsByTime(api.organizationId))) as ActionRecord[];
const balanceOf = async (user: string) => (await readUser(api.organizationId, user)).balances.tickets;

describe('a balance adjustment', () => {
  test('writes a transaction, and an action record with its id and reason', async () => {
    const user = await api.user(10);
    const { json } = await adjust(user, { amount: '-4', why: 'credited twice to Anna' });
    expect(json).toMatchObject({ account: 'tickets', amount: -4, balance: 6, replayed: false });
    const { transaction_id, action_id } = json;
    const { body } = await api.get(`/users/${user}/tickets/history`);
    const [newest] = body.transactions;
    expect(newest).toMatchObject({ transaction_id, amount: -4, description: 'Adjustment' });
    expect(newest).not.toHaveProperty('idempotency_key');
    const operation = (await actions()).find((one) => one.action_id === action_id);
    expect(operation).toMatchObject({
      action: 'balance_adjusted',
      about: {
        user_id: user,
        transaction_id,
        account: 'tickets',
        amount: -4,
        balance: { before: 10, after: 6 },
      },
      why: 'credited twice to Anna',
      texts: expect.any(String),
    });
  });

  test('works for a frozen user', async () => {
    const user = await api.user(10);
    await freezeUser(api.organizationId, user, testContext());
    expect((await adjust(user, { amount: '-10' })).json).toMatchObject({ balance: 0 });
    const credit = await api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: 'after' });
    expect(credit).toMatchObject({ status: 403, body: { code: 'user_frozen' } });
  });

  test('works for entries', async () => {
    const user = await api.user();
    const { json } = await adjust(user, { account: 'flight', amount: '7' });
    expect(json).toMatchObject({ account: 'flight', amount: 7, balance: 7 });
  });

  test('takes effect once for each value of --once, and the value is refused for another adjustment', async () => {
    const user = await api.user();
    const first = await adjust(user, { amount: '3', once: 'ticket 4711' });
    const again = await adjust(user, { amount: '3', once: 'ticket 4711', why: 'merged in other words' });
    expect(again.json).toEqual({ ...first.json, replayed: true });
    expect(await balanceOf(user)).toBe(3);
    for (const change of [{ amount: '4' }, { amount: '-3' }, { account: 'truck' }, { account: 'flight' }]) {
      const other = await adjust(user, { amount: '3', once: 'ticket 4711', ...change });
      expect(other).toMatchObject({
        code: 1,
        error: expect.stringContaining('already used with different parameters'),
      });
    }
    await adjust(user, { amount: '3' });
    expect((await readUser(api.organizationId, user)).balances).toEqual({ tickets: 6, truck: 0, flight: 0 });
    const ofOther = await adjust(await api.user(), { amount: '3', once: 'ticket 4711' });
    expect(ofOther.json).toMatchObject({ balance: 3, replayed: false });
  });

  test('loses no change when several operators adjust at once', async () => {
    const users = await Promise.all([api.user(5), api.user(5)]);
    const begun = (await actions()).length;
    const tickets = { organizationId: api.organizationId, account: 'tickets' } as const;
    await Promise.all(
      [1, 2, 3, 4].map((amount) =>
        adjustBalance({ ...tickets, userId: users[amount % 2]!, amount }, testContext()),
      ),
    );
    expect(await Promise.all(users.map(balanceOf))).toEqual([11, 9]);
    expect((await actions()).length).toBe(begun + 4);
  });
});

test('an unknown outcome is explained', async () => {
  const user = await api.user();
  const [start, now] = [performance.now(), vi.spyOn(performance, 'now')];
  let isWritten = false;
  // Loses the responses to the write and to all later calls. Each call advances the clock by 3 s.
  const { result } = await watchingCalls(
    tableClient,
    () => adjust(user, { amount: '3' }),
    ({ operation }, index) => {
      isWritten ||= operation === 'TransactWriteItems';
      now.mockReturnValue(start + index * 3000);
      return isWritten ? { after: brokenConnection() } : undefined;
    },
  ).finally(() => now.mockRestore());
  expect(result).toMatchObject({ code: 1, error: expect.stringContaining('It may have been done. Check') });
  expect(await balanceOf(user)).toBe(3);
});

describe('nothing changes after', () => {
  test.each([
    [{ amount: '-11' }, 'insufficient ticket balance'],
    [{ amount: '0' }, 'but is "0"'],
    [{ amount: '1.5' }, 'but is "1.5"'],
    [{ amount: '1e1' }, 'but is "1e1"'],
    [{ amount: '0x1' }, 'but is "0x1"'],
    [{ amount: 'some' }, 'but is "some"'],
    [{ amount: '1000000001' }, 'but is "1000000001"'],
    [{ amount: '1', account: 'cash' }, 'There is no account "cash"'],
    [{ amount: '1', why: undefined }, '--why is missing'],
    [{ amount: '1', why: '' }, '--why is empty'],
    [{ amount: '1', once: 'x'.repeat(256) }, '--once is too long'],
    [{ amount: '1', user: 'usr_x' }, 'Invalid user ID'],
    [{ amount: '1', org: 'org_x' }, 'There is no organization org_x'],
  ] as [Options, string][])('%j', async (options, message) => {
    const user = await api.user(10);
    const begun = (await actions()).length;
    const { code, error } = await adjust(user, options);
    expect(code).not.toBe(0);
    expect(error).toContain(message);
    expect(await balanceOf(user)).toBe(10);
    expect((await actions()).length).toBe(begun);
  });

  test('an adjustment of a user of another organization', async () => {
    const stranger = await (await newOrganization()).user(10);
    const { code, error } = await adjust(stranger, { amount: '1' });
    expect([code, error]).toEqual([1, expect.stringMatching(/Invalid user ID$/)]);
  });
});
