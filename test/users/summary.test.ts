import { expect, test } from 'vitest';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { tableClient } from '../../shared/table/client.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../../shared/time.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { type Call, watchingCalls } from '../support/calls.ts';
import { expectError, expectSuccess, instant } from '../support/expectations.ts';
import { invoke } from '../support/invoke.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { testContext } from '../support/test-context.ts';

const day = '2026-11-10';
const noon = startOfDay(day) + 12 * 3_600_000;
const summary = (api: Api, user: string) => api.get(`/users/${user}/summary`);
const summaryAt = async ({ organizationId }: Api, user_id: string, now: number) =>
  (await invoke('users/summary', { organizationId, path: { user_id }, now })).body;
const queueAt = async ({ organizationId }: Api, user_id: string, now: number, num_of_spins: number) => {
  const body = { num_of_spins, idempotency_key: `${now}` };
  const { status } = await invoke('amoe/queue', { organizationId, path: { user_id }, body, now });
  expect(status).toBe(200);
};
const playGuest = (api: Api, user: string, num_of_spins: number, idempotency_key = 'guest') =>
  api.post(`/users/guest/${user}/game/play`, { num_of_spins, idempotency_key });

test('a new user has no wins, all plays, and reasons against each game', async () => {
  const api = await newOrganization();
  const { user_id } = (await api.post('/users', { external_reference: 'anna' })).body;
  const restrictions = ['insufficient_tickets'];
  const game = (name: string, cost: number) => ({
    game: name,
    playable: false,
    free_playable: true,
    cost,
    restrictions,
    holds: [],
  });
  expectSuccess(await summary(api, user_id), {
    user_id,
    external_reference: 'anna',
    sequence: 0,
    balances: { tickets: 0, truck: 0, flight: 0 },
    plays_left: 5,
    plays_reset_at: instant,
    games: [game('prizewheel', 1), game('truck', 5), game('flight', 10)],
    promotion: null,
    queued_spins: { total: 0, due: 0, run_at: null },
    wins: { since: instant, prizes: [] },
  });
});

test('balances, eligibility and wins are those of the last event', async () => {
  const api = await newOrganization();
  await putPrizeTable(api.organizationId, 'prizewheel', [prizeOf('cash_usd', 25, 1)], testContext());
  await putPrizeTable(api.organizationId, 'truck', [prizeOf('tickets', 1, 1)], testContext());
  const user = await api.user(7);
  await api.post(`/users/${user}/entries/credit`, { amount: 2, type: 'flight', idempotency_key: 'e' });
  const { body: played } = await playGuest(api, user, 2);
  await api.put('/debug/daily-cash-limit', { cash_limit: 50 });
  const { body } = await summary(api, user);
  const { events } = (await api.get('/events', { user_id: user })).body;
  expect(body.sequence).toBe(events.at(-1).sequence);
  expect(body.balances).toEqual({ tickets: 7, truck: 0, flight: 2 });
  expect(body.games.map(({ restrictions }: { restrictions: string[] }) => restrictions)).toEqual([
    ['tickets_only'],
    [],
    ['tickets_only', 'insufficient_tickets'],
  ]);
  const won = ({ id, timestamp }: { id: string; timestamp: string }) => ({
    outcome_id: id,
    prize: { cash_usd: 25 },
    timestamp,
  });
  expect(body.wins).toEqual({ since: instant, prizes: played.items.map(won).reverse() });
});

test('a win between the reads of a summary is left out, because its balances are older', async () => {
  const api = await newOrganization();
  await putPrizeTable(api.organizationId, 'prizewheel', [prizeOf('cash_usd', 25, 1)], testContext());
  const user = await api.user();
  await playGuest(api, user, 2, 'before');
  const now = Date.now();
  const before = await summaryAt(api, user, now);
  expect(before.wins.prizes).toHaveLength(2);
  let hasWon = false;
  const winOnce = async ({ operation }: Call) => {
    if (operation !== 'Query' || hasWon) return undefined;
    hasWon = true;
    await playGuest(api, user, 3, 'between');
    return undefined;
  };
  const { result } = await watchingCalls(tableClient, () => summaryAt(api, user, now), winOnce);
  expect(result).toEqual(before);
  expect((await summaryAt(api, user, now)).wins.prizes).toHaveLength(5);
});

test('wins of tickets and entries are left out, because balances contain them', async () => {
  const api = await newOrganization();
  const prizes = [prizeOf('tickets', 3, 1), prizeOf('entry_truck', 1, 1)];
  await putPrizeTable(api.organizationId, 'prizewheel', prizes, testContext());
  const user = await api.user();
  await playGuest(api, user, 10);
  const { balances, wins } = (await summary(api, user)).body;
  expect(balances.tickets / 3 + balances.truck).toBe(10);
  expect(wins.prizes).toEqual([]);
});

test('with more than 50 outcomes, the list of wins is complete from the 50th on', async () => {
  const api = await newOrganization();
  await putPrizeTable(api.organizationId, 'prizewheel', [prizeOf('prize_imt', 1, 1)], testContext());
  const user = await api.user();
  await playGuest(api, user, 50, 'a');
  const all = (await summary(api, user)).body.wins;
  expect(all.prizes).toHaveLength(50);
  expect(all.since < all.prizes.at(-1).timestamp).toBe(true);
  await playGuest(api, user, 10, 'b');
  const { prizes, since } = (await summary(api, user)).body.wins;
  expect(prizes).toHaveLength(50);
  expect(since).toBe(prizes.at(-1).timestamp);
});

test('queued spins run at the next midnight in New York, and are due after it', async () => {
  const api = await newOrganization();
  const user = await api.user();
  await queueAt(api, user, noon, 3);
  const midnight = isoOf(startOfDay(addDays(day, 1)));
  const spins = async (now: number) => (await summaryAt(api, user, now)).queued_spins;
  expect(await spins(noon)).toEqual({ total: 3, due: 0, run_at: midnight });
  const nextNoon = noon + 24 * 3_600_000;
  expect(await spins(nextNoon)).toEqual({ total: 3, due: 3, run_at: null });
  await queueAt(api, user, nextNoon, 4);
  const run_at = isoOf(startOfDay(addDays(day, 2)));
  expect(await spins(nextNoon)).toEqual({ total: 7, due: 3, run_at });
});

test('plays that are left are reset at midnight in New York, and null without a limit', async () => {
  const api = await newOrganization();
  const user = await api.user(9);
  const now = Date.now();
  const { body } = await api.post(`/debug/users/${user}/games/play`, { result: 'tickets_only' });
  await api.post(`${new URL(body.url).pathname}/spin`, {});
  const left = async (at = now) => {
    const { plays_left, plays_reset_at } = await summaryAt(api, user, at);
    return { plays_left, plays_reset_at };
  };
  const plays_reset_at = isoOf(startOfDay(addDays(dayOf(now), 1)));
  expect(await left()).toEqual({ plays_left: 4, plays_reset_at });
  await changeSettings(api.organizationId, { daily_spin_limit: 1 }, testContext());
  expect(await left()).toEqual({ plays_left: 0, plays_reset_at });
  expect((await left(Date.parse(plays_reset_at))).plays_left).toBe(1);
  await api.put('/debug/daily-spin-limit', { on: false });
  expect(await left()).toEqual({ plays_left: null, plays_reset_at: null });
});

test('an unknown user has no summary', async () => {
  const api = await newOrganization();
  const other = await (await newOrganization('Other')).user();
  for (const user of ['nobody', other])
    expectError(await summary(api, user), 404, 'user_not_found', 'Invalid user ID');
});
