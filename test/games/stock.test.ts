import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findDrawFaults } from '../../infra/operate/admin/explain/verify-outcome.ts';
import { previewGame, showGames } from '../../infra/operate/admin/games.ts';
import { createPlayUrl } from '../../shared/games/plays.ts';
import type { Prize } from '../../shared/games/prize-tables.ts';
import { allShards } from '../../shared/shards.ts';
import { getItem, tableClient } from '../../shared/table/client.ts';
import { budgetKey, recordsOfUser } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';
import { admin } from '../support/admin.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { invoke } from '../support/invoke.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { untilAnswered } from '../support/repeat.ts';
import { testContext } from '../support/test-context.ts';
import { changingBefore, playAt, spinAt } from './support/plays.ts';

let api: Api;
const day = addDays(dayOf(Date.now()), 1);
const now = startOfDay(day) + 1000;
const midnight = startOfDay(addDays(day, 1));
const tomorrow = midnight + 1000;
beforeEach(async () => {
  api = await newOrganization();
  await api.put('/debug/daily-spin-limit', { on: false });
});
const car = { ...prizeOf('prize_merchandise', 1, 1_000_000), id: 'car' };
const tickets = prizeOf('tickets', 1, 1);
const setTable = (...prizes: Prize[]) =>
  putPrizeTable(api.organizationId, 'prizewheel', [...prizes, tickets], testContext());
const stocked = () => getItem(budgetKey(api.organizationId, 'stock#prizewheel', 0));
const wonBy = async (user: string, plays: number, at = now) => {
  const ids: string[] = [];
  for (let i = 0; i < plays; i++) ids.push((await playAt(api, user, at)).fairness.prize_id);
  return ids;
};
const guestSpins = async (num_of_spins: number) => {
  const body = { num_of_spins, idempotency_key: 'spins' };
  const request = { organizationId: api.organizationId, path: { user_id: await api.user() }, body, now };
  const answer = await untilAnswered(() => invoke('amoe/guest-play', request));
  return (answer.body as { items: { prize: object }[] }).items.filter(
    ({ prize }) => 'prize_merchandise' in prize,
  ).length;
};

describe('a prize with a stock', () => {
  test('is won as often as its stock allows, and each win has a serial number', async () => {
    await setTable({ ...car, stock: 3 });
    const user = await api.user(20);
    expect(await wonBy(user, 5)).toEqual(['car', 'car', 'car', 'tickets-1', 'tickets-1']);
    const records = await readRange(recordsOfUser(api.organizationId, user, 'outcomes'));
    const stockBudgets = records.map(({ budgets }) => (budgets as { stock: object }).stock);
    expect(stockBudgets).toEqual([
      { grants: 0, number: 1, number_of_day: 1 },
      { grants: 1, number: 2, number_of_day: 2 },
      { grants: 2, number: 3, number_of_day: 3 },
      { grants: 3, out: ['car'] },
      { grants: 3, out: ['car'] },
    ]);
    for (const record of records) expect(await findDrawFaults(record as never)).toEqual([]);
    expect(await stocked()).toMatchObject({ grants: 3, granted: { car: 3 }, granted_on_day: { car: 3 } });
  });

  test('per day can be won again on the next day', async () => {
    await setTable({ ...car, stock: 9, stock_per_day: 2 });
    const user = await api.user(20);
    for (const at of [now, tomorrow]) {
      expect(await wonBy(user, 3, at)).toEqual(['car', 'car', 'tickets-1']);
      if (at === now) expect(await wonBy(user, 1, midnight - 1)).toEqual(['tickets-1']);
    }
    // This play is dated before midnight but reaches the table after the next day's plays. It uses the next
    // day's stock.
    const { fairness } = await playAt(api, user, now);
    expect(fairness.budgets).toMatchObject({ day, stock: { grants: 4, out: ['car'] } });
  });

  test('is won exactly as often by twenty concurrent plays, and each player sees their recorded outcome', async () => {
    await setTable({ ...car, stock: 4 });
    const users = await Promise.all(times(20, () => api.user(1)));
    const played = await Promise.all(users.map((user) => untilPlayed(user)));
    const numbers = played.flatMap(({ body }) => body.fairness.budgets.stock.number ?? []);
    expect(numbers.sort()).toEqual([1, 2, 3, 4]);
    const recorded = await Promise.all(
      users.map((user) => readRange(recordsOfUser(api.organizationId, user, 'outcomes'))),
    );
    expect(recorded.flat().map(({ id }) => id)).toEqual(played.map(({ body }) => body.outcome.id));
    expect(await stocked()).toMatchObject({ grants: 4, granted: { car: 4 } });
  });

  const untilPlayed = async (userId: string) => {
    const { organizationId } = api;
    const { token } = await createPlayUrl({ organizationId, userId, game: 'prizewheel', lang: 'en', now });
    return spinAt(now, `/play/${token}`);
  };

  test('that another user has just won is left out of the second draw', async () => {
    await setTable({ ...car, stock: 1 });
    const [one, other] = [await api.user(1), await api.user(1)];
    await changingBefore(
      1,
      () => wonBy(other, 1),
      async () => expect(await wonBy(one, 1)).toEqual(['tickets-1']),
    );
    expect(await stocked()).toMatchObject({ grants: 1 });
  });

  test('shares its stock between regular plays and free spins (AMOE), which draw from the same table', async () => {
    await setTable({ ...car, stock: 40 });
    expect(await wonBy(await api.user(2), 2)).toEqual(['car', 'car']);
    expect(await guestSpins(60)).toBe(38);
  });

  test('keeps its number of wins under a new table, and a higher stock adds to it', async () => {
    await setTable({ ...car, stock: 2 });
    const user = await api.user(20);
    expect(await wonBy(user, 3)).toEqual(['car', 'car', 'tickets-1']);
    await setTable({ ...car, stock: 2, weight: 900_000 });
    expect(await wonBy(user, 1)).toEqual(['tickets-1']);
    await setTable({ ...car, stock: 3 });
    expect(await wonBy(user, 2)).toEqual(['car', 'tickets-1']);
  });

  test('adds no round trip to a play', async () => {
    await setTable({ ...car, stock: 2 });
    const user = await api.user(20);
    await wonBy(user, 1);
    const calls: string[] = [];
    const { organizationId } = api;
    const { token } = await createPlayUrl({
      organizationId,
      userId: user,
      game: 'prizewheel',
      lang: 'en',
      now,
    });
    await watchingCalls(
      tableClient,
      () => spinAt(now, `/play/${token}`),
      async ({ operation }) => {
        calls.push(operation);
        return undefined;
      },
    );
    expect(calls).toEqual(['GetItem', 'BatchGetItem', 'TransactWriteItems']);
  });

  test('that is cash also counts against the day’s cash', async () => {
    await setTable({ ...prizeOf('cash_usd', 100, 1_000_000), stock: 2 });
    await api.put('/debug/daily-cash-limit', { cash_limit: 150 });
    const user = await api.user(20);
    expect(await wonBy(user, 2)).toEqual(['cash-usd-100', 'tickets-1']);
    expect(await wonBy(user, 2, tomorrow)).toEqual(['cash-usd-100', 'tickets-1']);
    await api.put('/debug/daily-cash-limit', { cash_limit: 500 });
    expect(await wonBy(user, 1, tomorrow)).toEqual(['tickets-1']);
  });
});

test('a win of a stocked prize is written to all shards', async () => {
  await setTable({ ...car, stock: 5 });
  expect(await wonBy(await api.user(20), 3)).toEqual(['car', 'car', 'car']);
  const states = await Promise.all(
    allShards.map((shard) => getItem(budgetKey(api.organizationId, 'stock#prizewheel', shard))),
  );
  expect(states.map((state) => state?.grants)).toEqual(allShards.map(() => 3));
  expect(new Set(await wonBy(await api.user(9), 9))).toEqual(new Set(['car', 'tickets-1']));
  expect(await stocked()).toMatchObject({ granted: { car: 5 } });
});

describe('an operator', () => {
  test('sees the remaining stock', async () => {
    await setTable({ ...car, stock: 3, stock_per_day: 2 });
    await wonBy(await api.user(2), 1);
    const { games } = await showGames(api.organizationId, 'prizewheel', now);
    expect(games.prizewheel!.prizes[0]).toMatchObject({ stock_left: 2, stock_left_today: 1 });
    expect(games.prizewheel!.prizes[1]).not.toHaveProperty('stock_left');
  });

  test('sees the current odds next to those of the table when a stock is used up', async () => {
    await setTable({ ...car, stock: 1 }, prizeOf('cash_usd', 5, 1));
    const shown = async () => {
      const { games } = await showGames(api.organizationId, 'prizewheel', now);
      const { play, now: inForce, prizes } = games.prizewheel!;
      return { cash: [play.cash_usd, inForce?.play.cash_usd], out: inForce?.out_of_stock, prizes };
    };
    const cash = expect.closeTo(5e-6, 9);
    expect(await shown()).toMatchObject({ cash: [cash, cash], out: [] });
    await wonBy(await api.user(1), 1);
    expect(await shown()).toMatchObject({
      cash: [cash, 2.5],
      out: ['car'],
      prizes: [
        { chance_percent: 99.9998, chance_now_percent: 0, stock_left: 0 },
        { chance_percent: 0.0000999998, chance_now_percent: 50 },
        { chance_percent: 0.0000999998, chance_now_percent: 50 },
      ],
    });
    const file = join(tmpdir(), `${api.organizationId}-shown.json`);
    await writeFile(file, JSON.stringify(await showGames(api.organizationId, 'prizewheel', now)));
    const { changes } = await previewGame(api.organizationId, 'prizewheel', { file }, now);
    expect(changes).toEqual([]);
  });

  test('cannot set a stock below the number of wins', async () => {
    await setTable({ ...car, stock: 3 });
    await wonBy(await api.user(2), 2);
    const file = join(tmpdir(), `${api.organizationId}.json`);
    const write = (stock: number) =>
      writeFile(file, JSON.stringify({ prizes: [{ ...car, stock }, tickets] }));
    await write(1);
    const message = '"car" of prizewheel was won 2 times, so its stock cannot be 1.';
    await expect(previewGame(api.organizationId, 'prizewheel', { file }, now)).rejects.toThrow(message);
    const args = ['game', 'set', '--org', api.organizationId, '--game', 'prizewheel', '--file', file];
    for (const more of [[], ['--from', addDays(day, 9)]]) {
      expect(await admin(...args, ...more)).toMatchObject({
        code: 1,
        error: expect.stringContaining(message),
      });
    }
    await write(5);
    expect((await previewGame(api.organizationId, 'prizewheel', { file }, now)).dry_run).toBe(true);
  });
});
