import { beforeEach, describe, expect, test } from 'vitest';
import { readUser } from '../../shared/accounts/user.ts';
import { playGuestSpins } from '../../shared/amoe/guest-spins.ts';
import { queueSpins, type SpinOrder } from '../../shared/amoe/spin-orders.ts';
import { runShard } from '../../shared/amoe/spin-run.ts';
import { dueShards } from '../../shared/amoe/start-spin-run.ts';
import type { Settings } from '../../shared/games/settings.ts';
import { cancelSpins, restoreSpins } from '../../shared/operations/cancel-spins.ts';
import { changeSettings } from '../../shared/operations/change-settings.ts';
import { createOrganization } from '../../shared/operations/create-organization.ts';
import { freezeUser, unfreezeUser } from '../../shared/operations/freeze.ts';
import { shardOf } from '../../shared/shards.ts';
import { client } from '../../shared/table/client.ts';
import { operationsByTime, spinOrdersOf } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { startOfDay } from '../../shared/time.ts';
import { times } from '../support/api.ts';
import { byTest } from '../support/by.ts';
import { watchingCalls } from '../support/calls.ts';
import { makeUser } from '../support/round-trips.ts';
import { expectSound } from './support.ts';

// The stage's own sweeps look at what is due by their clock, which is far behind this day.
const ordered = startOfDay('2040-05-01');
const due = '2040-05-02';
const hour = 3_600_000;

let organizationId: string;
let user: string;
beforeEach(async () => {
  const made = await createOrganization('Holds', 'local', { operator: 'test', now: Date.now() });
  organizationId = made.organization_id;
  user = await makeUser(organizationId);
});
const by = () => ({ ...byTest(), why: 'a doubt' });
const queue = (spins: number, key = 'a', userId = user) =>
  queueSpins({ organizationId, userId, asked: { num_of_spins: spins, idempotency_key: key }, now: ordered });
const set = (settings: Partial<Settings>) => changeSettings(organizationId, settings, by());
const clock = { now: () => startOfDay(due), timeIsUp: () => false };
const run = () =>
  runShard({ organization_id: organizationId, shard: shardOf(user), day: due }, clock, async () => ({
    round: 1,
    out: true,
  }));
const queued = async () => (await readUser(organizationId, user)).queued_spins;
const orders = async () =>
  (await readRange(spinOrdersOf(organizationId, user), { consistent: true })) as SpinOrder[];
const mine = async (now: number) =>
  (await dueShards(now)).filter(({ organization_id }) => organization_id === organizationId);

describe.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
  ['a suspended organization', () => set({ suspended: true }), () => set({ suspended: false })],
  ['paused AMOE', () => set({ paused: 'amoe' }), () => set({ paused: '' })],
  ['a paused wheel', () => set({ paused: 'prizewheel truck' }), () => set({ paused: '' })],
  [
    'a frozen user',
    () => freezeUser(organizationId, user, by()),
    () => unfreezeUser(organizationId, user, by()),
  ],
])('free spins of %s', (_, hold, resume) => {
  test('wait, are nobody’s failure, and run afterwards', async () => {
    await queue(40);
    await queue(2, 'b');
    await hold();
    const { calls, result } = await watchingCalls(client, run);
    expect(result).toMatchObject({ spins: 0, failed: 0, unfinished: false });
    expect(calls.map(({ operation }) => operation)).not.toContain('TransactWriteItems');
    expect(await queued()).toBe(42);
    await resume();
    expect(await run()).toMatchObject({ spins: 42, failed: 0, held: 0 });
    expect(await queued()).toBe(0);
    expect(await expectSound(organizationId, user)).toHaveLength(42);
  });

  test('raise no alarm while they wait, nor at once afterwards', async () => {
    await queue(1);
    const late = startOfDay(due) + 30 * hour;
    expect((await mine(late))[0]!.overdueSeconds).toBe(30 * 3600);
    await hold();
    const held = await mine(late);
    expect(held.filter(({ overdueSeconds }) => overdueSeconds > 0)).toEqual([]);
    await resume();
    const [{ overdueSeconds } = { overdueSeconds: 0 }] = await mine(late);
    // No operator has done anything in the time of this test.
    expect(overdueSeconds).toBe(30 * 3600);
  });
});

describe('the alarm', () => {
  test('counts from the last thing that an operator did', async () => {
    await queue(1);
    await changeSettings(organizationId, { cost_truck: 9 }, { ...by(), now: startOfDay(due) + 5 * hour });
    const [shard] = await mine(startOfDay(due) + 6 * hour);
    expect(shard!.overdueSeconds).toBe(3600);
  });

  test('is raised for whoever waits behind a frozen user', async () => {
    let other = await makeUser(organizationId);
    while (shardOf(other) !== shardOf(user)) other = await makeUser(organizationId);
    await queue(1);
    await queue(1, 'b', other);
    await freezeUser(organizationId, user, by());
    const [shard] = await mine(startOfDay(due) + 3 * hour);
    expect(shard!.overdueSeconds).toBe(3 * 3600);
    expect(await run()).toMatchObject({ spins: 1, held: 1, failed: 0 });
    for (const { overdueSeconds } of await mine(startOfDay(due) + 3 * hour)) expect(overdueSeconds).toBe(0);
  });
});

describe('cancelled spins', () => {
  const cancel = (orderId?: string) => cancelSpins({ organizationId, userId: user, orderId }, by());
  const restore = (orderId?: string) => restoreSpins({ organizationId, userId: user, orderId }, by());

  test('do not run, and are counted no more, until they are restored', async () => {
    await queue(3);
    await queue(40, 'b');
    const [first, second] = await orders();
    expect(await cancel()).toEqual({ [first!.order_id]: 3, [second!.order_id]: 40 });
    expect(await queued()).toBe(0);
    expect(await mine(startOfDay(due))).toEqual([]);
    expect(await run()).toMatchObject({ spins: 0 });
    expect(await restore(second!.order_id)).toEqual({});
    expect(await queued()).toBe(40);
    expect((await orders()).map(({ remaining, cancelled }) => [remaining, cancelled])).toEqual([
      [0, 3],
      [40, undefined],
    ]);
    expect((await orders())[1]).toEqual(second);
    expect(await run()).toMatchObject({ spins: 40 });
    const outcomes = await expectSound(organizationId, user);
    expect(outcomes.map(({ spin_index, secret_day }) => [spin_index, secret_day])).toEqual(
      times(40, (index) => [index, due]),
    );
  });

  test('are what remained: a spin either ran or was cancelled', async () => {
    await queue(40);
    let transactions = 0;
    await watchingCalls(client, run, async ({ operation }) => {
      if (operation === 'TransactWriteItems' && ++transactions === 2) await cancel();
      return undefined;
    });
    const [order] = await orders();
    expect(order).toMatchObject({ remaining: 0, cancelled: 10, num_of_spins: 40 });
    expect(await expectSound(organizationId, user)).toHaveLength(30);
    await restore();
    await run();
    expect((await expectSound(organizationId, user)).map(({ spin_index }) => spin_index)).toEqual(
      times(40, (index) => index),
    );
  });

  test('stand in the record, by their orders', async () => {
    await queue(3);
    await cancel();
    await cancel();
    await restore();
    const [order] = await orders();
    const about = { user_id: user, spins: { [order!.order_id]: 3 } };
    expect((await readRange(operationsByTime(organizationId))).slice(1)).toMatchObject([
      { action: 'spins_cancelled', about, why: 'a doubt', texts: expect.any(String) },
      { action: 'spins_restored', about, why: 'a doubt', texts: expect.any(String) },
    ]);
    await expect(cancel('ord_01HZZZZZZZZZZZZZZZZZZZZZZZ')).rejects.toThrow('has no order');
  });

  test('of more orders than one write has room for are cancelled by several', async () => {
    for (const index of times(95, (index) => index)) await queue(1, `k${index}`);
    expect(Object.keys(await cancel())).toHaveLength(95);
    expect(await queued()).toBe(0);
    expect(await restore()).toEqual({});
    expect(await queued()).toBe(95);
  });
});

test('a guest whose spins are held or cancelled midway is told to ask again, and gets all of them', async () => {
  const request = {
    organizationId,
    userId: user,
    asked: { num_of_spins: 40, idempotency_key: 'g' },
    now: Date.now(),
  };
  let transactions = 0;
  const played = () => expect(playGuestSpins(request)).rejects.toThrow('send the same request again');
  await watchingCalls(client, played, async ({ operation }) => {
    if (operation === 'TransactWriteItems' && ++transactions === 2)
      await cancelSpins({ organizationId, userId: user }, by());
    return undefined;
  });
  await played();
  await freezeUser(organizationId, user, by());
  await restoreSpins({ organizationId, userId: user }, by());
  await played();
  await unfreezeUser(organizationId, user, by());
  const { reply } = await playGuestSpins(request);
  expect(reply).toHaveLength(40);
});
