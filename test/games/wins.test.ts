import { beforeEach, expect, test } from 'vitest';
import { setLimits } from '../../infra/operate/admin/limits.ts';
import { getItem } from '../../shared/table/client.ts';
import { userKey } from '../../shared/table/keys.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { invoke } from '../support/invoke.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { untilAnswered } from '../support/repeat.ts';
import { testContext } from '../support/test-context.ts';
import { playAt } from './support/plays.ts';

let api: Api;
const day = addDays(dayOf(Date.now()), 1);
const now = startOfDay(day) + 1000;
beforeEach(async () => {
  api = await newOrganization();
  const won = [prizeOf('prize_imt', 1, 500_000), prizeOf('cash_usd', 1, 500_000)];
  const prizes = [...won, prizeOf('tickets', 1, 1), prizeOf('entry_truck', 1, 1)];
  await putPrizeTable(api.organizationId, 'prizewheel', prizes, testContext());
  await setLimits(api.organizationId, { dailyWins: '2', dailySpins: 'off' }, testContext());
});
const isChance = (prize: object) => 'tickets' in prize || 'entry_truck' in prize;
const chances = async (user: string, plays: number, at = now) => {
  const played = [];
  for (let i = 0; i < plays; i++) played.push(await playAt(api, user, at));
  return played.map(({ outcome }) => isChance(outcome.prize));
};
const guestSpins = async (user_id: string, num_of_spins: number) => {
  const body = { num_of_spins, idempotency_key: 'spins' };
  const request = { organizationId: api.organizationId, path: { user_id }, body, now };
  const answer = await untilAnswered(() => invoke('amoe/guest-play', request));
  return (answer.body as { items: { prize: object }[] }).items.map(({ prize }) => isChance(prize));
};

test('a user with the day’s maximum of wins draws tickets and entries until the next day', async () => {
  const user = await api.user(20);
  expect(await chances(user, 4)).toEqual([false, false, true, true]);
  expect(await chances(user, 1, startOfDay(addDays(day, 1)))).toEqual([false]);
  const { fairness } = await playAt(api, user, startOfDay(addDays(day, 1)));
  expect(fairness.budgets).toMatchObject({ wins: { granted: 1, limit: 2 } });
});

test('concurrent plays of a user stay within the limit, and other users have their own', async () => {
  const [one, other] = [await api.user(20), await api.user(20)];
  const played = await Promise.all(times(5, () => playAt(api, one, now)));
  expect(played.filter(({ outcome }) => !isChance(outcome.prize))).toHaveLength(2);
  expect(await chances(other, 1)).toEqual([false]);
});

test('free spins and plays count together', async () => {
  const user = await api.user(20);
  expect(await chances(user, 1)).toEqual([false]);
  expect(await guestSpins(user, 35)).toEqual([false, ...times(34, () => true)]);
});

test('wins are counted only while they are limited', async () => {
  await setLimits(api.organizationId, { dailyWins: 'off' }, testContext());
  const user = await api.user(20);
  expect(await chances(user, 3)).toEqual([false, false, false]);
  expect(await getItem(userKey(api.organizationId, user))).not.toHaveProperty('wins');
  await setLimits(api.organizationId, { dailyWins: '1' }, testContext());
  expect(await chances(user, 2)).toEqual([false, true]);
  expect(await getItem(userKey(api.organizationId, user))).toHaveProperty('wins', { day, count: 1 });
});
