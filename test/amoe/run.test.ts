import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findDrawFaults } from '../../infra/operate/admin/explain/verify-outcome.ts';
import { readUser } from '../../shared/accounts/user.ts';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { dueItemOf } from '../../shared/amoe/open-orders.ts';
import { placeOrder } from '../../shared/amoe/place-order.ts';
import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { runShardSpins } from '../../shared/amoe/spin-run.ts';
import { readDueShards, startSpinRunNow } from '../../shared/amoe/start-spin-run.ts';
import { daySecret } from '../../shared/games/day-secrets.ts';
import { seedOfOutcome } from '../../shared/games/seeds.ts';
import { defaultSettings } from '../../shared/games/settings.ts';
import { allShards, shardOf } from '../../shared/shards.ts';
import { type Item, putItem, putItems } from '../../shared/table/client.ts';
import { recordsOfUser } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { dayOf, startOfDay } from '../../shared/time.ts';
import { type Api, newOrganization, request, times } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { invoke } from '../support/invoke.ts';
import { promisedOn } from '../support/promised.ts';
import { testContext } from '../support/test-context.ts';
import { expectSound } from './support.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});

/** Queues free spins as of `now`. With a future time, the local stage's schedules do not run them. */
const queueAt = (now: number, userId: string, spins: number, idempotencyKey = 'a') =>
  queueSpins({
    organizationId: api.organizationId,
    userId,
    asked: { num_of_spins: spins, idempotency_key: idempotencyKey },
    now,
  });
const ordersOf = (userId: string) =>
  readRange(recordsOfUser(api.organizationId, userId, 'orders'), { consistent: true });
const clock = { now: Date.now, timeIsUp: () => false };
/** Runs the organization's spin orders due by `day`. Returns how many spins ran and how many orders failed. */
async function run(day: string) {
  const sum = { spins: 0, failed: 0 };
  for (const shard of allShards) {
    const { spins, failed } = await runShardSpins({ organization_id: api.organizationId, shard, day }, clock);
    sum.spins += spins;
    sum.failed += failed;
  }
  return sum;
}
/** Runs a schedule of the local stage. Repeats the request until it succeeds; a repeated run is harmless. */
const fire = (schedule: string, body = {}) =>
  eventually(async () => {
    expect((await request('POST', `/local/schedules/${schedule}`, { body })).status).toBe(200);
  });
const noneQueued = (userId: string) => eventually(async () => expect(await queuedSpins(userId)).toBe(0));
const queuedSpins = async (userId: string) => (await readUser(api.organizationId, userId)).queued_spins;

describe('a run that a host asks for', () => {
  afterEach(() => vi.unstubAllEnvs());
  const ask = (one: Api) => one.post('/debug/spin-run');
  const queueNow = (one: Api, user: string, num_of_spins: number) =>
    one.post(`/users/${user}/game/queue`, { num_of_spins, idempotency_key: `${num_of_spins}` });

  test('runs the queued spins of the organization once, and tells how many', async () => {
    const [mine, other] = await Promise.all([newOrganization(), newOrganization()]);
    const [first, second, foreign] = await Promise.all([mine.user(), mine.user(), other.user()]);
    for (const [user, spins] of [
      [first, 40],
      [first, 2],
      [second, 3],
    ] as const)
      await queueNow(mine, user, spins);
    await queueNow(other, foreign, 1);
    const [one, same] = await Promise.all([ask(mine), ask(mine)]);
    expect(one).toMatchObject({ status: 200, body: { status: 'success', started: 45 } });
    expect(same.status).toBe(200);
    await eventually(async () => {
      const users = await Promise.all([first, second].map((id) => readUser(mine.organizationId, id)));
      expect(users.map(({ queued_spins }) => queued_spins)).toEqual([0, 0]);
    });
    const drawn = await Promise.all([first, second].map((id) => expectSound(mine.organizationId, id)));
    expect(drawn.map(({ length }) => length)).toEqual([42, 3]);
    expect((await ask(mine)).body.started).toBe(0);
    expect((await readUser(other.organizationId, foreign)).queued_spins).toBe(1);
  });

  test('is refused while free spins are on hold, and on production', async () => {
    const mine = await newOrganization();
    await queueNow(mine, await mine.user(), 1);
    await changeSettings(mine.organizationId, { paused: 'amoe' }, testContext());
    expect(await ask(mine)).toMatchObject({ status: 409, body: { code: 'game_paused' } });
    vi.stubEnv('STAGE', 'production');
    await expect(startSpinRunNow(mine.organizationId, Date.now())).rejects.toThrow('runs no spins early');
  });

  test('may have been started if its messages have no answer', async () => {
    await queueNow(api, await api.user(), 1);
    vi.stubEnv('QUEUE_URL_SPIN_SHARDS', 'http://localhost:1/none');
    const unsent = startSpinRunNow(api.organizationId, Date.now());
    await expect(unsent).rejects.toMatchObject({ code: 'outcome_unknown' });
  });
});

describe('the spin run', () => {
  test('runs queued spins on schedule and credits their prizes', async () => {
    const user = await api.user();
    // Queues and runs spins as of 2020, so that the run excludes the spins that other tests queue now.
    await invoke('amoe/queue', {
      organizationId: api.organizationId,
      path: { user_id: user },
      body: { num_of_spins: 70, result_effective_date: '2026-03-01', idempotency_key: 'a' },
      now: Date.parse('2020-01-01T17:00:00Z'),
    });
    await fire('spin-run', { now: '2020-01-02T05:00:00Z' });
    await noneQueued(user);
    const outcomes = await expectSound(api.organizationId, user);
    expect(outcomes).toHaveLength(70);
    const { body } = await api.get(`/users/${user}/games/history`, { limit: 100 });
    expect(body.items).toHaveLength(70);
    expect(new Set(body.items.map((item: Item) => item.play_type))).toEqual(new Set(['amoe']));
    expect(new Set(body.items.map((item: Item) => item.result_effective_date))).toEqual(
      new Set(['2026-03-01T05:00:00.000Z']),
    );
    expect(
      (await api.post(`/users/${user}/game/queue`, { num_of_spins: 2, idempotency_key: 'b' })).body,
    ).toEqual({ status: 'success', total_queued_spins: 2 });
  });

  test.each([
    ['a day of 23 hours', '2030-03-10', 23],
    ['a day of 25 hours', '2030-11-03', 25],
    ['an ordinary day', '2030-06-15', 24],
  ])(
    'spins queued during %s are due at its end, and spins queued right after it a day later',
    async (_, day, hours) => {
      const start = startOfDay(day);
      const end = start + hours * 3600_000;
      expect(dayOf(end - 1)).toBe(day);
      const user = await api.user();
      await queueAt(end - 1, user, 2, 'before midnight');
      await queueAt(end, user, 3, 'at midnight');
      await run(day);
      expect(await queuedSpins(user)).toBe(5);
      const isDue = async (now: number) =>
        (await readDueShards(now)).some(({ organization_id }) => organization_id === api.organizationId);
      expect(await isDue(end)).toBe(true);
      await run(dayOf(end));
      expect(await queuedSpins(user)).toBe(3);
      await run(dayOf(end + 25 * 3600_000));
      expect(await queuedSpins(user)).toBe(0);
      expect(await expectSound(api.organizationId, user)).toHaveLength(5);
    },
  );

  test('an order does not contain its seeds', async () => {
    const user = await api.user();
    const now = startOfDay('2032-01-10');
    await queueAt(now, user, 2);
    const [order] = await ordersOf(user);
    expect(order).not.toHaveProperty('server_seed');
    await run('2032-01-11');
    const drawn = await expectSound(api.organizationId, user);
    const secret = await daySecret(api.organizationId, '2032-01-11');
    const seeds = drawn.map((outcome) => seedOfOutcome(secret, outcome));
    expect(new Set(seeds).size).toBe(2);
    expect(JSON.stringify([order, drawn])).not.toMatch(seeds.join('|'));
  });

  test('a missed run is made up for by the next run', async () => {
    const user = await api.user();
    const now = startOfDay('2031-01-10');
    for (const days of [0, 1, 2]) await queueAt(now + days * 86_400_000, user, 1, `day ${days}`);
    await run('2031-01-20');
    const outcomes = await expectSound(api.organizationId, user);
    expect(outcomes.map(({ secret_day }) => secret_day)).toEqual(
      outcomes.map(({ timestamp }) => dayOf(Date.parse(timestamp))),
    );
    for (const outcome of outcomes) expect(await findDrawFaults(outcome)).toEqual([]);
  });

  test('the workers of the queue run each spin of many orders and users once', async () => {
    const users = await Promise.all(times(8, () => api.user()));
    const now = startOfDay('2020-02-01');
    // Users have different numbers of orders, so that the shards have different amounts of work.
    const spinsOf = (userId: string) => (userId === users[0] ? 60 : 10);
    // Writes the items that the queue endpoint would write, in bulk. Each order has one spin.
    for (const userId of users) {
      let user = await readUser(api.organizationId, userId);
      const items: Item[] = [];
      for (const i of times(spinsOf(userId), (i) => i)) {
        const asked = { num_of_spins: 1, idempotency_key: `${i}` };
        const request = { organizationId: api.organizationId, userId, asked, now };
        const placed = placeOrder(user, request, promisedOn(dayOf(now)));
        user = placed.user;
        items.push(placed.order, dueItemOf(placed.order, 1));
      }
      await putItem(user);
      for (let i = 0; i < items.length; i += 25) await putItems(items.slice(i, i + 25));
    }
    await fire('spin-sweep');
    for (const user of users) {
      await noneQueued(user);
      expect(await expectSound(api.organizationId, user)).toHaveLength(spinsOf(user));
    }
  });

  test('a failing order does not stop the others and is retried', async () => {
    const [victim, rich] = await Promise.all([api.user(), api.user()]);
    const now = startOfDay('2034-01-10');
    await queueAt(now, victim, 1);
    await queueAt(now, rich, 1);
    const [made] = await ordersOf(victim);
    const setTable = (version: string) => putItem({ ...made!, prize_table_version: version });
    await setTable('a version that is not there');
    expect((await run('2034-01-11')).failed).toBe(1);
    expect(await queuedSpins(rich)).toBe(0);
    await setTable(defaultSettings.prize_table_prizewheel);
    expect((await run('2034-01-11')).failed).toBe(0);
    expect(await queuedSpins(victim)).toBe(0);
  });

  test('orders are in the shards of their users', async () => {
    const other = await newOrganization();
    const users = await Promise.all(times(12, () => other.user()));
    const { organizationId } = other;
    const now = startOfDay('2020-03-01');
    const asked = { num_of_spins: 1, idempotency_key: 'a' };
    for (const userId of users) await queueSpins({ organizationId, userId, asked, now });
    const due = (await readDueShards(startOfDay('2020-03-02'))).filter(
      ({ organization_id }) => organization_id === organizationId,
    );
    const shards = new Set(users.map(shardOf));
    expect(new Set(due.map(({ shard }) => shard))).toEqual(shards);
    await fire('spin-sweep');
    for (const user of users)
      await eventually(async () => {
        expect((await readUser(organizationId, user)).queued_spins).toBe(0);
      });
  });
});
