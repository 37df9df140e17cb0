import { beforeAll, describe, expect, test } from 'vitest';
import { form1099ThresholdOf } from '../../../../../infra/operate/admin/report/reporting-law.ts';
import { reportTaxes } from '../../../../../infra/operate/admin/report/reports.ts';
import { addWin, taxRows, type WinsByUser } from '../../../../../infra/operate/admin/report/taxes.ts';
import { winnerRow } from '../../../../../infra/operate/admin/report/winners.ts';
import { withReferences } from '../../../../../infra/operate/admin/report/with-references.ts';
import { appendRecord, type NewRecord, type OutcomeRecord } from '../../../../../shared/accounts/records.ts';
import { readUser } from '../../../../../shared/accounts/user.ts';
import { defaultPrizeTables } from '../../../../../shared/games/prize-tables.ts';
import { accountOfPrize } from '../../../../../shared/games/prizes.ts';
import { type WonPrize, wonPrizeIn } from '../../../../../shared/prizes/won-prize.ts';
import { addDays } from '../../../../../shared/time.ts';
import type { PrizeKind } from '../../../../../shared/vocabulary.ts';
import { newOrganization, times } from '../../../../support/api.ts';
import { newOutcome, userOf, type Written, writeRecords } from '../../../../support/records.ts';
import { outcomesIn, report, type Small, shown, smallOrganization, sum } from './support.ts';

let small: Small;
beforeAll(async () => {
  small = await smallOrganization();
});
const days = () => ({ from: small.from, to: small.to });
const isHandedOver = ({ prize }: OutcomeRecord) =>
  accountOfPrize(Object.keys(prize)[0] as PrizeKind) === undefined;

describe('report winners', () => {
  test('lists cash above 25 USD, and prizes without a value, oldest first', async () => {
    const { api, users } = small;
    const { rows, ...head } = await shown('winners', api.organizationId, days());
    const listed = outcomesIn(small.records)
      .filter(({ prize }) => prize.cash_usd === undefined || prize.cash_usd > 25)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(rows.map(({ outcome_id }: { outcome_id: string }) => outcome_id)).toEqual(
      listed.map(({ id }) => id),
    );
    expect(head).toMatchObject({ at_least_usd: 25.01, source: expect.stringContaining('369-e') });
    const { id, timestamp, result_effective_date } = listed.find(({ prize }) => prize.cash_usd === 26)!;
    expect(rows).toContainEqual({
      outcome_id: id,
      won_at: timestamp,
      user_id: users[1],
      external_reference: `=cmd("${api.organizationId}")\u202e`,
      game: 'prizewheel',
      play_type: 'regular',
      prize_id: 'cash-usd-26',
      prize: 'cash_usd',
      amount: 26,
      value_usd: 26,
      result_effective_date,
      state: 'untracked',
      state_at: timestamp,
      delivered_on: null,
    });
    const card = rows.find(({ prize }: { prize: string }) => prize === 'prize_gift_card');
    expect(card).toMatchObject({ amount: 1, value_usd: null });
    expect(rows).not.toContainEqual(expect.objectContaining({ prize: 'cash_usd', amount: 25 }));
  });

  test('lists cash from a given amount on', async () => {
    const { rows } = await shown('winners', small.api.organizationId, { ...days(), 'at-least': '25' });
    expect(rows).toContainEqual(expect.objectContaining({ prize: 'cash_usd', amount: 25 }));
    const { rows: most } = await shown('winners', small.api.organizationId, { ...days(), 'at-least': '61' });
    expect(new Set(most.map(({ value_usd }: { value_usd: unknown }) => value_usd))).toEqual(new Set([null]));
  });

  test("escapes users' references in CSV", async () => {
    const org = small.api.organizationId;
    const { out } = await report('winners', org, { ...days(), csv: true });
    expect(out).toContain(`,"'=cmd(""${org}"")\\u202e",prizewheel,regular,cash-usd-26,cash_usd,26,26,`);
    expect(out).toContain(',prize_gift_card,1,,');
  });

  test('omits test plays and, on demand, tickets and entries', async () => {
    const row = (prize: Record<string, number>, withoutCredits: boolean, debug?: 'jackpot') =>
      winnerRow({ prize, debug, id: 'out_1' } as unknown as OutcomeRecord, [], {
        atLeastUsd: 1,
        withoutCredits,
      });
    expect(row({ cash_usd: 100 }, false, 'jackpot')).toBeUndefined();
    for (const prize of [{ tickets: 100 }, { entry_truck: 1 }]) {
      expect([row(prize, false)?.value_usd, row(prize, true)]).toEqual([null, undefined]);
    }
    expect(row({ cash_usd: 1 }, true)).toMatchObject({ outcome_id: 'out_1', value_usd: 1 });
    const args = { ...days(), 'without-credits': true as const };
    const { rows } = await shown('winners', small.api.organizationId, args);
    const listed = outcomesIn(small.records)
      .filter(isHandedOver)
      .filter(({ prize }) => prize.cash_usd === undefined || prize.cash_usd > 25);
    expect(rows).toHaveLength(listed.length);
  });

  test('refuses invalid periods and amounts', async () => {
    const org = small.api.organizationId;
    const errorOf = async (args: Record<string, string>) => {
      const { code, out, error } = await report('winners', org, { ...days(), ...args });
      expect([code, out]).toEqual([2, '']);
      return error;
    };
    const from = small.to;
    const to = addDays(from, -1);
    expect(await errorOf({ from, to })).toBe(`--from is ${from}, which is after --to, ${to}.`);
    expect(await errorOf({ to: '2026-13-01' })).toContain('but is "2026-13-01"');
    expect(await errorOf({ 'at-least': '2.5' })).toContain('but is "2.5"');
  });
});

test.each([0, 1, 1000, 1001, 2500])('%i rows keep their order and get their references', async (count) => {
  const { api, users } = small;
  const [anna, bob] = await Promise.all(users.map((user) => readUser(api.organizationId, user)));
  const of = [anna!, bob!, { user_id: 'usr_unknown', external_reference: null }];
  const expected = times(count, (row) => {
    const { user_id, external_reference } = of[row % of.length]!;
    return { row, user_id, external_reference };
  });
  const rows = expected.map((row) => ({ ...row, external_reference: null }));
  expect(await withReferences(api.organizationId, rows)).toEqual(expected);
});

describe('report taxes', () => {
  test('counts a prize in the New York year of its win', async () => {
    const api = await newOrganization();
    const wins: [string, Record<string, number>][] = [
      ['2025-01-01T04:59:59.999Z', { cash_usd: 1000 }],
      ['2025-01-01T05:00:00.000Z', { cash_usd: 400 }],
      ['2025-07-01T00:00:00.000Z', { prize_gift_card: 1 }],
      ['2025-07-01T00:00:00.000Z', { tickets: 40 }],
      // In New York, this win is still in 2025, so the report counts it in 2025.
      ['2026-01-01T04:59:59.999Z', { cash_usd: 200 }],
      ['2026-01-01T05:00:00.000Z', { cash_usd: 100 }],
    ];
    const user_id = await api.user();
    let user = userOf(api.organizationId, user_id);
    const records: Written[] = [];
    for (const [at, prize] of wins) {
      const prize_table_version = defaultPrizeTables.prizewheel.version;
      const fields = { ...newOutcome('2024-12-31T05:00:00.000Z'), prize, prize_table_version };
      const added = appendRecord(user, fields as NewRecord, Date.parse(at));
      user = added.user;
      records.push(added.record as Written);
    }
    await writeRecords(records);
    const { rows, ...head } = await shown('taxes', api.organizationId, { year: '2025' });
    expect(rows).toEqual([
      {
        user_id,
        external_reference: expect.any(String),
        cash_prizes: 2,
        cash_usd: 600,
        prizes_without_value: 1,
        other_prizes_with_value: 0,
        other_value_usd: 0,
        value_usd: 600,
        threshold_usd: 600,
        is_reportable: true,
      },
    ]);
    expect(head).toMatchObject({
      year: 2025,
      complete: true,
      records_read: 4,
      threshold_usd: 600,
      cash_usd: 600,
      reportable_users: 1,
      undecided_users: 0,
    });
    const undecided = await shown('taxes', api.organizationId, { year: '2025', threshold: '601' });
    expect(undecided).toMatchObject({ reportable_users: 0, undecided_users: 1 });
  });

  test("equals a simple sum over users' wins", () => {
    const users: WinsByUser = new Map();
    const outcomes = outcomesIn(small.records);
    for (const won of outcomes.flatMap((outcome) => wonPrizeIn(outcome, []) ?? [])) addWin(users, won);
    for (const { user_id, cash_usd, prizes_without_value } of taxRows(users, 600)) {
      const won = outcomes.filter((outcome) => outcome.user_id === user_id).filter(isHandedOver);
      const cash = won.flatMap(({ prize }) => prize.cash_usd ?? []);
      expect([cash_usd, prizes_without_value]).toEqual([sum(cash), won.length - cash.length]);
    }
    expect([...users.keys()].sort()).toEqual([...small.users].sort());
  });

  test('a user at the threshold is reportable, a user below is not, or is undecided with a prize of unknown value', () => {
    const users: WinsByUser = new Map();
    const wins: [string, Record<string, number>][] = [
      ['below', { cash_usd: 599 }],
      ['below', { prize_gift_card: 1 }],
      ['at', { cash_usd: 500 }],
      ['at', { cash_usd: 100 }],
      ['clear', { cash_usd: 598 }],
    ];
    for (const [user_id, prize] of wins)
      addWin(users, { user_id, prize, value_usd: prize.cash_usd ?? null } as unknown as WonPrize);
    expect(taxRows(users, 600)).toEqual([
      {
        user_id: 'at',
        external_reference: null,
        cash_prizes: 2,
        cash_usd: 600,
        prizes_without_value: 0,
        other_prizes_with_value: 0,
        other_value_usd: 0,
        value_usd: 600,
        threshold_usd: 600,
        is_reportable: true,
      },
      {
        user_id: 'below',
        external_reference: null,
        cash_prizes: 1,
        cash_usd: 599,
        prizes_without_value: 1,
        other_prizes_with_value: 0,
        other_value_usd: 0,
        value_usd: 599,
        threshold_usd: 600,
        is_reportable: null,
      },
      {
        user_id: 'clear',
        external_reference: null,
        cash_prizes: 1,
        cash_usd: 598,
        prizes_without_value: 0,
        other_prizes_with_value: 0,
        other_value_usd: 0,
        value_usd: 598,
        threshold_usd: 600,
        is_reportable: false,
      },
    ]);
  });

  test('each year has its own threshold', () => {
    expect([2024, 2025, 2026, 2027].map((year) => form1099ThresholdOf(year)?.usd)).toEqual([
      600,
      600,
      2000,
      undefined,
    ]);
  });

  test('shows totals of a year without a threshold, and reportable users only with --threshold', async () => {
    const api = await newOrganization();
    const user_id = await api.user();
    const prize_table_version = defaultPrizeTables.prizewheel.version;
    const fields = {
      ...newOutcome('2027-05-01T04:00:00.000Z'),
      prize: { cash_usd: 2100 },
      prize_table_version,
    };
    const at = Date.UTC(2027, 4, 1, 12);
    await writeRecords([
      appendRecord(userOf(api.organizationId, user_id), fields as NewRecord, at).record as Written,
    ]);
    const taxes = (threshold?: string) =>
      reportTaxes(api.organizationId, { year: '2027', threshold }, Date.UTC(2028, 5, 1));
    const { head, rows } = await taxes();
    expect(head).toMatchObject({ cash_usd: 2100, threshold_usd: null, reportable_users: null });
    expect(head.source).toBe('The threshold of 2027 is not known here. Set it with --threshold.');
    expect(rows).toMatchObject([{ user_id, value_usd: 2100, threshold_usd: null, is_reportable: null }]);
    const given = await taxes('2100');
    expect(given.head).toMatchObject({
      threshold_usd: 2100,
      source: 'set by --threshold',
      reportable_users: 1,
    });
    expect(given.rows).toMatchObject([{ threshold_usd: 2100, is_reportable: true }]);
    expect((await taxes('2101')).rows).toMatchObject([{ is_reportable: false }]);
    await expect(taxes('2.5')).rejects.toThrow('but is "2.5"');
  });

  test('refuses future and invalid years', async () => {
    const errorOf = async (year: string) => (await report('taxes', small.api.organizationId, { year })).error;
    expect(await errorOf('2099')).toBe('--year is 2099, which has not begun yet.');
    expect(await errorOf('26')).toBe('--year must be a year such as 2026, but is "26".');
  });
});
