import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrderRecord } from '../../shared/accounts/records.ts';
import { readUser } from '../../shared/accounts/user.ts';
import { cancelSpins, restoreSpins } from '../../shared/actions/cancel-spins.ts';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { freezeUser, unfreezeUser } from '../../shared/actions/freeze.ts';
import { playGuestSpins } from '../../shared/amoe/guest-spins.ts';
import { readOpenOrders } from '../../shared/amoe/open-orders.ts';
import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { runShardSpins } from '../../shared/amoe/spin-run.ts';
import { readDueShards, startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import type { Settings } from '../../shared/games/settings.ts';
import { shardOf } from '../../shared/shards.ts';
import { tableClient } from '../../shared/table/client.ts';
import { actionsByTime, recordsOfUser } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { addDays, startOfDay } from '../../shared/time.ts';
import { times } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { counted } from '../support/counted.ts';
import { useOwnTable } from '../support/own-table.ts';
import { makeUser } from '../support/round-trips.ts';
import { testContext } from '../support/test-context.ts';
import { expectSound } from './support.ts';

// The tests' spin orders are due far in the future, so that the local stage's schedules do not run them.
const ordered = startOfDay('2040-05-01');
const due = '2040-05-02';
const hour = 3_600_000;

let organizationId: string;
let user: string;
// Uses its own table, because `readDueShards` visits all organizations of a table.
beforeAll(() => useOwnTable('holds'));
beforeEach(async () => {
  const made = await createOrganization('Holds', 'local', { operator: 'test', now: Date.now() });
  organizationId = made.organization_id;
  user = await makeUser(organizationId);
});
const contextAt = (now = Date.now()) => ({ ...testContext(), why: 'a doubt', now });
const queue = (spins: number, key = 'a', userId = user, now = ordered) =>
  queueSpins({ organizationId, userId, asked: { num_of_spins: spins, idempotency_key: key }, now });
const set = (settings: Partial<Settings>, now?: number) =>
  changeSettings(organizationId, settings, contextAt(now));
const clock = { now: () => startOfDay(due), timeIsUp: () => false };
const run = () => runShardSpins({ organization_id: organizationId, shard: shardOf(user), day: due }, clock);
const queued = async () => (await readUser(organizationId, user)).queued_spins;
const orders = async () =>
  (await readRange(recordsOfUser(organizationId, user, 'orders'), { consistent: true })) as OrderRecord[];
/** Returns the user's open spin orders, each as id and number of remaining spins. */
const open = async () =>
  (await readOpenOrders(await readUser(organizationId, user))).map(({ order, remaining }) => [
    order.order_id,
    remaining,
  ]);
const mine = async (now: number) =>
  (await readDueShards(now)).filter(({ organization_id }) => organization_id === organizationId);
/** For each shard with due spins, returns whether the spins are overdue `hours` after the due day's midnight. */
const overdue = async (hours: number) =>
  (await mine(startOfDay(due) + hours * hour)).map(({ isOverdue }) => isOverdue);

type Act = (now?: number) => Promise<unknown>;
describe.each<[string, Act, Act]>([
  ['a suspended organization', () => set({ suspended: true }), (now) => set({ suspended: false }, now)],
  ['paused AMOE', () => set({ paused: 'amoe' }), (now) => set({ paused: '' }, now)],
  ['a paused wheel', () => set({ paused: 'prizewheel truck' }), (now) => set({ paused: 'truck' }, now)],
  [
    'a frozen user',
    () => freezeUser(organizationId, user, contextAt()),
    (now) => unfreezeUser(organizationId, user, contextAt(now)),
  ],
])('free spins of %s', (_, hold, resume) => {
  test('wait, do not count as failed, and run after the hold', async () => {
    await queue(40);
    await queue(2, 'b');
    await hold();
    const { calls, result } = await watchingCalls(tableClient, run);
    expect(result).toMatchObject({ spins: 0, failed: 0, unfinished: false });
    expect(calls.map(({ operation }) => operation)).not.toContain('TransactWriteItems');
    expect(await queued()).toBe(42);
    await resume();
    expect(await run()).toMatchObject({ spins: 42, failed: 0, held: 0 });
    expect(await queued()).toBe(0);
    expect(await expectSound(organizationId, user)).toHaveLength(42);
  });

  test('raise no alarm during the hold or in the two hours afterwards', async () => {
    await queue(1);
    expect(await overdue(30)).toEqual([true]);
    await hold();
    expect(await overdue(30)).not.toContain(true);
    await resume(startOfDay(due) + 30 * hour);
    expect(await overdue(31)).toEqual([false]);
    expect(await overdue(33)).toEqual([true]);
  });
});

describe('the alarm on overdue spins', () => {
  test('is raised after two hours, whatever else operators do in the meantime', async () => {
    await queue(1);
    expect(await overdue(1.9)).toEqual([false]);
    await set({ cost_truck: 9, paused: 'truck' }, startOfDay(due) + hour);
    await set({ paused: '' }, startOfDay(due) + 1.5 * hour);
    const other = await makeUser(organizationId);
    await freezeUser(organizationId, other, contextAt(startOfDay(due) + 1.6 * hour));
    await unfreezeUser(organizationId, other, contextAt(startOfDay(due) + 1.7 * hour));
    expect(await overdue(2)).toEqual([true]);
    const countedAt = (now: number) =>
      counted('OverdueSpinShards', () => startSpinRun({}, now, async () => {}));
    expect(await countedAt(startOfDay(due) + 2 * hour - 1)).toEqual([0]);
    // Orders of other tests may be overdue, too.
    expect(await countedAt(startOfDay(due) + 2 * hour)).toEqual([expect.toSatisfy((shards) => shards > 0)]);
  });

  test('is raised two hours after cancelled spins were restored', async () => {
    await queue(1);
    await cancelSpins({ organizationId, userId: user }, contextAt());
    expect(await overdue(5)).toEqual([]);
    await restoreSpins({ organizationId, userId: user }, contextAt(startOfDay(due) + 5 * hour));
    expect(await overdue(6.9)).toEqual([false]);
    expect(await overdue(7.1)).toEqual([true]);
  });

  test('is raised for another user of the shard while one is frozen', async () => {
    let other = await makeUser(organizationId);
    while (shardOf(other) !== shardOf(user)) other = await makeUser(organizationId);
    await queue(1);
    await queue(1, 'b', other);
    await freezeUser(organizationId, user, contextAt());
    expect(await overdue(3)).toEqual([true]);
    expect(await run()).toMatchObject({ spins: 1, held: 1, failed: 0 });
    expect(await overdue(3)).toEqual([false]);
  });
});

test('free spins run although as many users of the shard are frozen as can run at once', async () => {
  const sameShard = async () => {
    for (;;) {
      const one = await makeUser(organizationId);
      if (shardOf(one) === shardOf(user)) return one;
    }
  };
  const frozen = [user];
  while (frozen.length < 8) frozen.push(await sameShard());
  for (const one of frozen) {
    await queue(1, 'a', one);
    await freezeUser(organizationId, one, contextAt());
  }
  // The order of the user who is not frozen is due last, so that all workers have met frozen users before.
  const day = addDays(due, 1);
  await queue(1, 'a', await sameShard(), startOfDay(due));
  const message = { organization_id: organizationId, shard: shardOf(user), day };
  const turn = await runShardSpins(message, { ...clock, now: () => startOfDay(day) });
  expect(turn).toMatchObject({ spins: 1, held: 8, failed: 0 });
});

describe('cancelled spins', () => {
  const cancel = (orderId?: string) => cancelSpins({ organizationId, userId: user, orderId }, contextAt());
  const restore = (orderId?: string) => restoreSpins({ organizationId, userId: user, orderId }, contextAt());

  test('do not run or count as queued until they are restored', async () => {
    await queue(3);
    await queue(40, 'b');
    const [first, second] = await orders();
    expect(await cancel()).toEqual({ [first!.order_id]: 3, [second!.order_id]: 40 });
    expect(await queued()).toBe(0);
    expect(await mine(startOfDay(due))).toEqual([]);
    expect(await run()).toMatchObject({ spins: 0 });
    expect(await restore(second!.order_id)).toEqual({});
    expect(await queued()).toBe(40);
    expect(await open()).toEqual([[second!.order_id, 40]]);
    expect(await run()).toMatchObject({ spins: 40 });
    const outcomes = await expectSound(organizationId, user);
    expect(outcomes.map(({ spin_index, secret_day }) => [spin_index, secret_day])).toEqual(
      times(40, (index) => [index, due]),
    );
  });

  test('are exactly the spins that did not run', async () => {
    await queue(40);
    let transactions = 0;
    await watchingCalls(tableClient, run, async ({ operation }) => {
      if (operation === 'TransactWriteItems' && ++transactions === 2) await cancel();
      return undefined;
    });
    const [order] = await orders();
    expect(await cancel()).toEqual({ [order!.order_id]: 10 });
    expect(await open()).toEqual([]);
    expect(await expectSound(organizationId, user)).toHaveLength(30);
    await restore();
    await run();
    expect((await expectSound(organizationId, user)).map(({ spin_index }) => spin_index)).toEqual(
      times(40, (index) => index),
    );
  });

  test('are recorded by order', async () => {
    await queue(3);
    await cancel();
    await cancel();
    await restore();
    const [order] = await orders();
    const about = { user_id: user, spins: { [order!.order_id]: 3 } };
    expect((await readRange(actionsByTime(organizationId))).slice(1)).toMatchObject([
      { action: 'spins_cancelled', about, why: 'a doubt', texts: expect.any(String) },
      { action: 'spins_restored', about, why: 'a doubt', texts: expect.any(String) },
    ]);
    await expect(cancel('ord_01HZZZZZZZZZZZZZZZZZZZZZZZ')).rejects.toThrow('has no order');
  });

  test('of too many orders for one transaction are cancelled in several', async () => {
    // One order more than the 100 items of a transaction.
    for (const index of times(101, (index) => index)) await queue(1, `k${index}`);
    expect(Object.keys(await cancel())).toHaveLength(101);
    expect(await queued()).toBe(0);
    expect(await restore()).toEqual({});
    expect(await queued()).toBe(101);
  });
});

test('a guest whose spins are held midway gets all of them by repeating the request', async () => {
  const request = {
    organizationId,
    userId: user,
    asked: { num_of_spins: 40, idempotency_key: 'g' },
    now: Date.now(),
  };
  let transactions = 0;
  const played = () => expect(playGuestSpins(request)).rejects.toThrow('send the same request again');
  await watchingCalls(tableClient, played, async ({ operation }) => {
    if (operation === 'TransactWriteItems' && ++transactions === 2)
      await freezeUser(organizationId, user, contextAt());
    return undefined;
  });
  await played();
  expect(await cancelSpins({ organizationId, userId: user }, contextAt())).toEqual({});
  await unfreezeUser(organizationId, user, contextAt());
  // Plays a second order while ten spins of the first remain. In the history, the second order's outcomes precede those
  // ten.
  const { reply: others } = await playGuestSpins({
    ...request,
    asked: { num_of_spins: 2, idempotency_key: 'h' },
  });
  const { reply } = await playGuestSpins(request);
  expect(await playGuestSpins(request)).toEqual({ reply, replayed: true });
  const outcomes = await expectSound(organizationId, user);
  expect(outcomes.map(({ id }) => id)).toEqual(
    [...reply.slice(0, 30), ...others, ...reply.slice(30)].map(({ id }) => id),
  );
});
