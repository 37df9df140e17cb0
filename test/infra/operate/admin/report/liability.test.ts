import { beforeAll, describe, expect, test } from 'vitest';
import {
  addPosting,
  balancesAgree,
  emptyHoldings,
  liabilityRows,
  usersErasedBefore,
} from '../../../../../infra/operate/admin/report/liability.ts';
import { readAllActions } from '../../../../../infra/operate/admin/report/records.ts';
import { readUser } from '../../../../../shared/accounts/user.ts';
import { markUserErased } from '../../../../../shared/actions/erase-user.ts';
import { dayOf } from '../../../../../shared/time.ts';
import { accounts } from '../../../../../shared/vocabulary.ts';
import { newOrganization } from '../../../../support/api.ts';
import { transactionOf, userOf, type Written, writeRecords } from '../../../../support/records.ts';
import { testContext } from '../../../../support/test-context.ts';
import { report, type Small, shown, smallOrganization, sum } from './support.ts';

let small: Small;
beforeAll(async () => {
  small = await smallOrganization();
});

describe('report liability', () => {
  test("equals users' balances, and a simple sum over all records", async () => {
    const { api, users, records } = small;
    const { rows, ...head } = await shown('liability', api.organizationId, {});
    const postings = records.filter((record) => record.kind === 'tickets' || record.kind === 'entries');
    expect(head).toMatchObject({ records_read: postings.length, agrees: true, complete: false });
    const held = await Promise.all(users.map((user) => readUser(api.organizationId, user)));
    for (const [index, account] of accounts.entries()) {
      const of = postings.filter(
        (record) => (record.kind === 'entries' ? record.entry_type : 'tickets') === account,
      );
      const amounts = of.map(({ amount }) => amount);
      const balances = held.map(({ balances }) => balances[account]);
      expect(rows[index]).toEqual({
        account,
        held_by: 'users',
        balance: sum(amounts),
        users: balances.filter((balance) => balance > 0).length,
        credited: sum(amounts.filter((amount) => amount > 0)),
        debited: sum(amounts.filter((amount) => amount < 0).map(Math.abs)),
      });
      expect(sum(balances)).toBe(sum(amounts));
    }
  });

  test('is the state at the end of a day in New York, over all shards', async () => {
    const api = await newOrganization();
    let records: Written[] = [];
    for (const _ of [1, 2]) {
      let user = {
        ...userOf(api.organizationId, await api.user()),
        balances: { tickets: 0, truck: 0, flight: 0 },
      };
      for (const at of ['2025-03-01T05:00:00Z', '2025-03-02T04:59:59.999Z', '2025-03-02T05:00:00Z']) {
        const posted = await transactionOf(user, 'truck', Date.parse(at));
        user = posted.user;
        records = [...records, posted.record as Written];
      }
    }
    await writeRecords(records);
    await markUserErased(api.organizationId, records[0]!.user_id, testContext());
    const truck = async (day: string) => {
      const { rows, records_read, complete } = await shown('liability', api.organizationId, { day });
      return [rows[1].balance, rows[1].users, records_read, complete];
    };
    expect(await truck('2025-02-28')).toEqual([0, 0, 0, true]);
    expect(await truck('2025-03-01')).toEqual([4, 2, 4, true]);
    expect(await truck('2025-03-02')).toEqual([6, 2, 6, true]);
    // Only a report on the day of the erasure or later counts the user as erased.
    expect(await truck(dayOf(Date.now()))).toEqual([3, 1, 6, false]);
  });

  test('shows balances of erased users separately from the day of their erasure', async () => {
    const api = await newOrganization();
    const [kept, erased] = [await api.user(5), await api.user(7)];
    const { date_created } = await readUser(api.organizationId, kept);
    await markUserErased(api.organizationId, erased, testContext());
    const { rows, agrees } = await shown('liability', api.organizationId, {});
    const tickets = (of: { account: string }[]) => of.filter(({ account }) => account === 'tickets');
    const row = { account: 'tickets', users: 1, debited: 0 };
    expect(agrees).toBe(true);
    expect(tickets(rows)).toEqual([
      { ...row, held_by: 'users', balance: 5, credited: 5 },
      { ...row, held_by: 'erased_users', balance: 7, credited: 7 },
    ]);
    const actions = await readAllActions(api.organizationId);
    expect([...usersErasedBefore(Date.now() + 1, actions)]).toEqual([erased]);
    expect([...usersErasedBefore(Date.parse(date_created), actions)]).toEqual([]);
  });

  test('fails if balances differ from the records', async () => {
    const api = await newOrganization();
    const user = userOf(api.organizationId, await api.user());
    const { record } = await transactionOf(user, 'tickets', Date.UTC(2025, 0, 1));
    await writeRecords([record as Written]);
    const { code, out } = await report('liability', api.organizationId, { day: '2025-01-02' });
    expect([code, JSON.parse(out).agrees]).toEqual([1, false]);
  });

  test('prints one line for each account as CSV', async () => {
    const { organizationId } = await newOrganization();
    const { out } = await report('liability', organizationId, { csv: true });
    const lines = out.split('\r\n').map((line) => line.split(',').slice(0, 6).join());
    expect(lines).toEqual([
      'account,held_by,balance,users,credited,debited',
      ...['users', 'erased_users'].flatMap((holder) => accounts.map((name) => `${name},${holder},0,0,0,0`)),
      ...['users', 'erased_users'].map((holder) => `prizes,${holder},0,0,0,0`),
      '',
    ]);
  });
});

test("a user's last record has the balance, whatever the order of records", () => {
  const record = (user_id: string, sequence: number, amount: number, balance_after: number) => ({
    kind: 'tickets' as const,
    user_id,
    sequence,
    amount,
    balance_after,
  });
  const records = [record('a', 1, 5, 5), record('a', 4, -5, 0), record('b', 2, 3, 3), record('b', 9, 4, 7)];
  for (const inOrder of [records, records.toReversed(), [2, 1, 3, 0].map((i) => records[i]!)]) {
    const holdings = emptyHoldings();
    for (const one of inOrder) addPosting(holdings, one);
    const rows = liabilityRows(holdings);
    const of = { account: 'tickets', held_by: 'users' };
    expect(rows[0]).toEqual({ ...of, balance: 7, users: 1, credited: 12, debited: 5 });
    expect(balancesAgree(rows)).toBe(true);
  }
});
