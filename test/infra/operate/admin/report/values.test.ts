import { expect, test } from 'vitest';
import { addToDay, dayRows, emptyDayFigures } from '../../../../../infra/operate/admin/report/day.ts';
import { addWin, taxRows, type WinsByUser } from '../../../../../infra/operate/admin/report/taxes.ts';
import { winnerRow } from '../../../../../infra/operate/admin/report/winners.ts';
import type { OutcomeRecord } from '../../../../../shared/accounts/records.ts';
import { wonPrizeIn } from '../../../../../shared/prizes/won-prize.ts';
import { addDays, dayOf } from '../../../../../shared/time.ts';
import { newUrl, spinUrl } from '../../../../games/support/plays.ts';
import { newOrganization } from '../../../../support/api.ts';
import { prizeOf } from '../../../../support/prize.ts';
import { putPrizeTable } from '../../../../support/put-prize-table.ts';
import { testContext } from '../../../../support/test-context.ts';
import { shown } from './support.ts';

const card = { ...prizeOf('prize_gift_card', 1, 1_000_000), id: 'card', value_usd: 19.99 };
const won = (prize_id: string, prize: object) =>
  ({
    kind: 'outcomes',
    user_id: 'usr_1',
    game: 'truck',
    play_type: 'regular',
    prize_id,
    prize,
  }) as unknown as OutcomeRecord;

test('prize values add up to the cent, and reach a threshold', () => {
  const users: WinsByUser = new Map();
  for (let i = 0; i < 30; i++) addWin(users, wonPrizeIn(won('card', { prize_gift_card: 1 }), [card])!);
  addWin(users, wonPrizeIn(won('cash', { cash_usd: 1 }), [card])!);
  const [row] = taxRows(users, 600);
  expect(row).toMatchObject({
    cash_usd: 1,
    other_prizes_with_value: 30,
    other_value_usd: 599.7,
    value_usd: 600.7,
  });
  expect(row).toMatchObject({ prizes_without_value: 0, is_reportable: true });
  expect(taxRows(users, 601)[0]?.is_reportable).toBe(false);
});

test('a prize counts for winners from its value on', () => {
  const rowFrom = (atLeastUsd: number) =>
    winnerRow(won('card', { prize_gift_card: 1 }), [card], { atLeastUsd, withoutCredits: false });
  expect(rowFrom(19.99)).toMatchObject({ value_usd: 19.99 });
  expect(rowFrom(20)).toBeUndefined();
});

test('the figures of a day include the values of non-cash prizes', () => {
  const day = emptyDayFigures({ begins: 0, ends: 1 });
  for (let i = 0; i < 3; i++) addToDay(day, won('card', { prize_gift_card: 1 }), [card]);
  addToDay(day, won('other', { prize_imt: 1 }), [card]);
  expect(dayRows(day, [])).toContainEqual({ figure: 'other_prizes_won_usd', game: 'truck', value: 59.97 });
});

test('a won prize has the value of the prize table of its draw, and totals are exact to the cent', async () => {
  const api = await newOrganization();
  const put = (value_usd: number) => {
    const prizes = [{ ...card, value_usd }, prizeOf('tickets', 1, 1)];
    return putPrizeTable(api.organizationId, 'prizewheel', prizes, testContext());
  };
  for (const value_usd of [33.3, 66.6]) {
    await put(value_usd);
    await spinUrl(await newUrl(api, await api.user(10)));
  }
  await put(99);
  const to = dayOf(Date.now());
  const { rows } = await shown('winners', api.organizationId, { from: addDays(to, -1), to });
  expect(rows).toMatchObject([
    { prize_id: 'card', value_usd: 33.3 },
    { prize_id: 'card', value_usd: 66.6 },
  ]);
  const taxes = await shown('taxes', api.organizationId, { year: to.slice(0, 4) });
  expect(taxes).toMatchObject({ value_usd: 99.9, rows: [{ value_usd: 66.6 }, { value_usd: 33.3 }] });
});
