import { beforeAll, expect, test } from 'vitest';
import { addCash, cashRow } from '../../../../../infra/operate/admin/report/cash.ts';
import { boundsOf } from '../../../../../infra/operate/admin/report/period.ts';
import { labelOf } from '../../../../../infra/operate/console/page/format.ts';
import { append, type OutcomeRecord } from '../../../../../shared/accounts/records.ts';
import { changeSettings } from '../../../../../shared/actions/change-settings.ts';
import { dayOf, startOfToday } from '../../../../../shared/time.ts';
import { games, playTypes } from '../../../../../shared/vocabulary.ts';
import { newOrganization } from '../../../../support/api.ts';
import { newOutcome, userOf, type Written, writeRecords } from '../../../../support/records.ts';
import { testContext } from '../../../../support/test-context.ts';
import { dayOfRecord, outcomesIn, report, type Small, shown, smallOrganization, sum } from './support.ts';

let small: Small;
beforeAll(async () => {
  small = await smallOrganization();
});

test('report cash equals a simple sum over the records, in total and by game and play type', async () => {
  const { from, to, records, api } = small;
  const { rows, ...head } = await shown('cash', api.organizationId, { from, to });
  const won = outcomesIn(records).filter(({ prize }) => prize.cash_usd !== undefined);
  const usd = (of: OutcomeRecord[]) => sum(of.map(({ prize }) => prize.cash_usd!));
  expect(head).toMatchObject({ from, to, grants: won.length, sum_usd: usd(won), won_usd: usd(won) });
  expect(head.counted_by).toContain(`the column “${labelOf('won_usd')}” (won_usd)`);
  for (const row of rows) {
    const ofDay = won.filter(({ timestamp }) => dayOf(Date.parse(timestamp)) === row.day);
    expect(row).toMatchObject({
      limit_usd: 500,
      earlier_limits_usd: '',
      grants: ofDay.length,
      sum_usd: usd(ofDay),
      left_usd: 500 - usd(ofDay),
      won_usd: usd(won.filter((outcome) => dayOfRecord(outcome) === row.day)),
    });
    for (const game of games) {
      for (const type of playTypes) {
        const part = ofDay.filter((outcome) => outcome.game === game && outcome.play_type === type);
        expect([row[`${game}_${type}_grants`], row[`${game}_${type}_usd`]]).toEqual([part.length, usd(part)]);
      }
    }
  }
});

test('report cash has a row for each day, without a limit before the first one', async () => {
  const { rows } = await shown('cash', small.api.organizationId, { from: '2024-02-27', to: '2024-03-01' });
  expect(rows).toHaveLength(4);
  expect(rows[2]).toMatchObject({
    day: '2024-02-29',
    limit_usd: null,
    left_usd: null,
    grants: 0,
    sum_usd: 0,
  });
});

test('report cash counts cash of its day that was won up to a minute before or after', async () => {
  const api = await newOrganization();
  const day = '2025-03-01';
  const { begins, ends } = boundsOf({ from: day, to: day });
  let user = userOf(api.organizationId, await api.user());
  const records: Written[] = [];
  for (const [at, cash_usd] of [
    [begins - 60_000, 1],
    [begins - 1, 2],
    [ends, 4],
    [ends + 59_999, 8],
  ] as const) {
    const budgets = { day, cash: { grants: 0, granted: 0, limit: 500 } };
    const added = append(user, { ...newOutcome(startOfToday(at)), prize: { cash_usd }, budgets }, at);
    user = added.user;
    records.push(added.record as Written);
  }
  await writeRecords(records);
  const { rows } = await shown('cash', api.organizationId, { from: day, to: day });
  expect(rows).toMatchObject([{ day, grants: 4, sum_usd: 15, won_usd: 0 }]);
});

test('report cash names each limit of a day', async () => {
  const { api, to } = await smallOrganization();
  for (const daily_cash_limit_usd of [300, 10]) {
    await changeSettings(api.organizationId, { daily_cash_limit_usd }, testContext());
  }
  const { out } = await report('cash', api.organizationId, { from: to, to, csv: true });
  const [header, row] = out.split('\r\n');
  expect(header).toMatch(
    /^day,limit_usd,earlier_limits_usd,grants,sum_usd,left_usd,won_usd,prizewheel_regular_grants,/,
  );
  // The remaining cash is 0, not negative: more cash was granted before the limit of 10 USD was set.
  expect(row).toMatch(new RegExp(`^${to},10,"500, 300",\\d+,\\d+,0,`));
});

test('granted cash counts on the day of its draw and won cash on that of its time; debug jackpots do not count', () => {
  const outcome = (fields: Partial<OutcomeRecord>) =>
    ({
      game: 'truck',
      play_type: 'regular',
      prize: { cash_usd: 7 },
      timestamp: '2026-01-02T05:00:00.001Z',
      ...fields,
    }) as OutcomeRecord;
  const days = new Map();
  addCash(days, outcome({ budgets: { day: '2026-01-01', cash: { grants: 0, granted: 0, limit: 9 } } }));
  addCash(days, outcome({}));
  addCash(days, outcome({ debug: 'jackpot' }));
  const sums = [...days].map(([day, granted]) => {
    const { left_usd, won_usd } = cashRow(day, granted, [9]);
    return [day, left_usd, won_usd];
  });
  expect(sums).toEqual([
    ['2026-01-01', 2, 0],
    ['2026-01-02', 2, 14],
  ]);
});
