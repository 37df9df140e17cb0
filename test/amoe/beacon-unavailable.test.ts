import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { localBeacon } from '../../infra/develop/local/beacon.ts';
import type { OrderRecord } from '../../shared/accounts/records.ts';
import { readUser } from '../../shared/accounts/user.ts';
import { randomnessFor } from '../../shared/amoe/beacon.ts';
import { closeOrders } from '../../shared/amoe/close-orders.ts';
import { openOrdersOf } from '../../shared/amoe/open-orders.ts';
import { askRelays } from '../../shared/amoe/relays.ts';
import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { workOffShard } from '../../shared/amoe/spin-run.ts';
import { clientSeedOfSpins } from '../../shared/games/seeds.ts';
import { changeSettings } from '../../shared/operations/change-settings.ts';
import { createOrganization } from '../../shared/operations/create-organization.ts';
import { shardOf } from '../../shared/shards.ts';
import { put } from '../../shared/table/client.ts';
import { recordsOfUser } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';
import { closeAndRun } from '../support/close-and-run.ts';
import { useOwnTable } from '../support/own-table.ts';
import { waitMs } from '../support/patience.ts';
import { beaconAt, honest, type Relay, type RelayBehaviour, startRelay } from '../support/relay.ts';
import { makeUser } from '../support/round-trips.ts';

// Uses its own table: a stored beacon round is permanent, and tests of other files would read it.
let organizationId: string;
beforeAll(async () => {
  await useOwnTable('beacon-unavailable');
  const context = { operator: 'test', now: Date.now() };
  organizationId = (await createOrganization('Beacon', 'local', context)).organization_id;
  await changeSettings(organizationId, { beacon: localBeacon.chain }, context);
});
const minute = 60_000;
const absent: RelayBehaviour = (_, response) => response.writeHead(404).end();

/**
 * Due day of the current test. Each test uses another day, because the beacon rounds that earlier tests stored are
 * permanent.
 */
let due = '2043-01-01';
let midnight: number;
let userId: string;
let relay: Relay;
beforeEach(async () => {
  due = addDays(due, 10);
  midnight = startOfDay(due);
  relay = await startRelay(absent);
  vi.stubEnv('BEACON', JSON.stringify(beaconAt(relay)));
  userId = await makeUser(organizationId);
  return async () => {
    vi.unstubAllEnvs();
    await relay.close();
  };
});

const queue = (spins: number, dueDay = due, idempotency_key = dueDay) =>
  queueSpins({
    organizationId,
    userId,
    asked: { num_of_spins: spins, idempotency_key },
    now: startOfDay(dueDay) - 1,
  });
const queued = async () => (await readUser(organizationId, userId)).queued_spins;
const orders = async () =>
  (await openOrdersOf(await readUser(organizationId, userId))).map(({ order }) => order);

const outcomes = () => readRange(recordsOfUser(organizationId, userId, 'outcomes'), { consistent: true });

/** Runs the worker for the user's shard as of `now`. */
const workAt = async (now: number) => {
  await closeOrders(organizationId, [shardOf(userId)], dayOf(midnight), () => midnight);
  // Asks each relay once: the pause before a second request would exceed the time limit.
  const once = { totalMs: waitMs, answerMs: waitMs, pauseMs: waitMs };
  return workOffShard(
    { organization_id: organizationId, shard: shardOf(userId), day: dayOf(now) },
    { now: () => now, timeIsUp: () => false },
    (chain, drawsAt, now) =>
      randomnessFor(chain, drawsAt, now, (beacon, round) => askRelays(beacon, round, once)),
  );
};

describe('while the beacon is unavailable', () => {
  test('queued spins do not run, and the worker leaves them to the sweep', async () => {
    await queue(2);
    await queue(1, due, 'another');
    expect(await workAt(midnight)).toBe(true);
    expect([relay.asked.length, await queued()]).toEqual([1, 3]);
    relay.behave(honest);
    expect(await workAt(midnight + 15 * minute)).toBe(true);
    expect([relay.asked.length, await queued()]).toEqual([2, 0]);
  });

  test('spins that were due on an earlier day still run', async () => {
    const before = addDays(due, -1);
    relay.behave(honest);
    await randomnessFor(localBeacon.chain, startOfDay(before) + minute, midnight);
    relay.behave(absent);
    // Queues eight orders for each due day. With one order each, the earlier day could come first by chance, even if
    // the worker did not sort the orders.
    for (let order = 0; order < 8; order++) await queue(1, before, `of before ${order}`);
    await closeOrders(organizationId, [shardOf(userId)], before, () => startOfDay(before));
    for (let order = 0; order < 8; order++) await queue(1, due, `${order}`);
    expect(await workAt(midnight)).toBe(true);
    expect((await orders()).map(({ due_day }) => due_day)).toEqual(Array.from({ length: 8 }, () => due));
    relay.behave(honest);
    await workAt(midnight);
    expect(await queued()).toBe(0);
  });

  test('spins without a beacon still run', async () => {
    await queue(2);
    const [{ beacon, ...order } = {} as OrderRecord] = await orders();
    await put(order);
    expect(await workAt(midnight)).toBe(true);
    expect([relay.asked, await queued()]).toEqual([[], 0]);
  });
});

test('an hour after their round, queued spins run without the beacon', async () => {
  await queue(2);
  await workAt(midnight + 61 * minute - 1);
  expect(await queued()).toBe(2);
  await workAt(midnight + 61 * minute);
  expect(await queued()).toBe(0);
  for (const outcome of await outcomes()) {
    expect(outcome).toMatchObject({ beacon_out: true, client_seed: clientSeedOfSpins('') });
    expect(outcome).not.toHaveProperty('beacon_round');
  }
});

test('queued spins mix in the randomness of their round and record the round', async () => {
  relay.behave(honest);
  await queue(2);
  await workAt(midnight + 20 * 60 * minute);
  const known = (await randomnessFor(localBeacon.chain, midnight + minute, midnight)) as {
    round: number;
    randomness: string;
  };
  const client_seed = clientSeedOfSpins('', known.randomness);
  const expected = { beacon_round: known.round, client_seed, secret_day: due, order_sequence: 1 };
  expect(await outcomes()).toMatchObject([expected, expected]);
});

test('a worker whose time is up after it has asked for the round sends a message to a successor', async () => {
  await queue(2);
  relay.behave(honest);
  let timeIsUp = false;
  const turn = closeAndRun(
    { organization_id: organizationId, shard: shardOf(userId), day: due },
    { now: () => midnight, timeIsUp: () => timeIsUp },
    async (...asked) => {
      timeIsUp = true;
      return randomnessFor(...asked);
    },
  );
  expect(await turn).toEqual({
    spins: 0,
    failed: 0,
    unfinished: true,
    held: 0,
    open: 0,
    beaconUnavailable: false,
    onHold: false,
  });
  expect(await queued()).toBe(2);
});
