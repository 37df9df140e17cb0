import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { answerOf, localAuthority } from '../../infra/develop/local/authority.ts';
import { localBeacon } from '../../infra/develop/local/beacon.ts';
import { readUser } from '../../shared/accounts/user.ts';
import { closedOrders, listedOrder, parseCheckpoint } from '../../shared/amoe/checkpoint.ts';
import { closeOrders } from '../../shared/amoe/close-orders.ts';
import { openOrdersOf } from '../../shared/amoe/open-orders.ts';
import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { runShard } from '../../shared/amoe/spin-run.ts';
import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import {
  checkpointsBetween,
  lastCheckpoint,
  storeClosedOrders,
} from '../../shared/amoe/stored-checkpoints.ts';
import { isSignedBy, parseNote, signerOf } from '../../shared/note.ts';
import { cancelSpins, restoreSpins } from '../../shared/operations/cancel-spins.ts';
import { changeSettings } from '../../shared/operations/change-settings.ts';
import { createOrganization } from '../../shared/operations/create-organization.ts';
import { allShards, shardOf } from '../../shared/shards.ts';
import { signNote } from '../../shared/sign-note.ts';
import { closedOrdersIn } from '../../shared/table/checkpoint-keys.ts';
import { client } from '../../shared/table/client.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { dayOf, startOfDay } from '../../shared/time.ts';
import type { Asker } from '../../shared/timestamps/ask.ts';
import { checkToken } from '../../shared/timestamps/token.ts';
import { times } from '../support/api.ts';
import { sha256, startAuthority, tokenForDigest } from '../support/authority.ts';
import { watchingCalls } from '../support/calls.ts';
import { counted } from '../support/counted.ts';
import { useOwnTable } from '../support/own-table.ts';
import { makeUser } from '../support/round-trips.ts';

const minute = 60_000;
const dayMs = 24 * 60 * minute;
const due = '2044-03-02';
const midnight = startOfDay(due);
const hourBefore = midnight - 60 * minute;
let organizationId: string;

beforeAll(() => useOwnTable('close-orders'));
beforeEach(async () => {
  const context = { operator: 'test', now: Date.now() };
  organizationId = (await createOrganization('Closing', 'local', context)).organization_id;
  await changeSettings(organizationId, { beacon: localBeacon.chain }, context);
});

/** Queues an order of one spin for a new user. Returns the order. */
async function ordered(now = hourBefore, user?: string) {
  const userId = user ?? (await makeUser(organizationId));
  await queueSpins({ organizationId, userId, asked: { num_of_spins: 1, idempotency_key: 'a' }, now });
  return (await openOrdersOf(await readUser(organizationId, userId)))[0]!.order;
}
const close = (now: number, ask?: Parameters<typeof closeOrders>[4], day = dayOf(now)) =>
  closeOrders(organizationId, allShards, day, () => now, ask);
const stored = () => checkpointsBetween(organizationId, 1, Number.POSITIVE_INFINITY);
const hashesOf = (orders: { hash: string }[]) => orders.map(({ hash }) => hash);

/** Runs a shard's orders. Returns the times of the rounds that the spins asked for, and the number of open orders. */
async function run(userId: string, day = due) {
  const rounds: number[] = [];
  const clock = { now: () => midnight + 2 * minute, timeIsUp: () => false };
  const message = { organization_id: organizationId, shard: shardOf(userId), day };
  const { open, spins } = await runShard(message, clock, async (_, drawsAt) => {
    rounds.push(drawsAt);
    return { round: 1, out: true };
  });
  return { rounds, open, spins };
}

test('a digest of orders is of their sorted texts in lines', () => {
  const digest = sha256('a\nb').toString('base64');
  expect(closedOrders(['b', 'a'])).toEqual({ count: 2, digest });
});

describe('closing orders at midnight', () => {
  test('signs the number and the digest of all due orders, a minute before their round', async () => {
    const orders = await Promise.all(times(5, () => ordered()));
    await ordered(midnight + 1);
    expect(await close(midnight + 3000)).toBe(midnight + minute);
    const { note } = (await stored())[0]!;
    const closed = closedOrders(hashesOf(orders));
    expect(parseCheckpoint(parseNote(note)!.text)).toEqual({
      organizationId,
      drawsAt: midnight + minute,
      from: due,
      listedDigest: closedOrders([]).digest,
      ...closed,
    });
    expect(closed.count).toBe(5);
    const { key } = await signNote('any\n');
    expect(isSignedBy(parseNote(note)!, signerOf(key)!)).toBe(true);
  });

  test('closes each order once, however often it runs', async () => {
    await ordered();
    const drawsAt = await close(midnight);
    for (const now of [midnight, midnight + 15 * minute]) expect(await close(now)).toBe(drawsAt);
    expect(await stored()).toHaveLength(1);
  });

  test('closes each order once if several runs overlap', async () => {
    const orders = await Promise.all(times(4, () => ordered()));
    const drawsAt = await Promise.all(times(4, () => close(midnight)));
    expect(new Set(drawsAt)).toEqual(new Set([midnight + minute]));
    expect(await stored()).toMatchObject([closedOrders(hashesOf(orders))]);
  });

  test('keeps the first checkpoint if a slower run has seen fewer orders', async () => {
    const orders = [await ordered()];
    const slow = async () => {
      orders.push(await ordered());
      await close(midnight);
      return undefined;
    };
    expect(await close(midnight, slow)).toBe(midnight + minute);
    expect(await stored()).toMatchObject([closedOrders(hashesOf(orders))]);
  });

  test('closes the orders again after a crash before the checkpoint was stored', async () => {
    const order = await ordered();
    const crash = vi.fn(async () => Promise.reject(new Error('crashed')));
    await expect(close(midnight, crash)).rejects.toThrow('crashed');
    expect((await run(order.user_id)).open).toBe(1);
    expect(await close(midnight + 2 * minute)).toBe(midnight + 3 * minute);
    expect((await run(order.user_id)).rounds).toEqual([midnight + 3 * minute]);
  });

  test('closes nothing in the last minute of a day, because that round belongs to the next day', async () => {
    await ordered(hourBefore - 24 * 60 * minute);
    expect(await close(midnight - 20_000)).toBeUndefined();
    expect(await stored()).toEqual([]);
  });

  test('closes no orders without a beacon', async () => {
    await changeSettings(organizationId, { beacon: '' }, { operator: 'test', now: Date.now() });
    const { user_id } = await ordered();
    expect(await close(midnight)).toBeUndefined();
    expect(await run(user_id)).toEqual({ rounds: [], open: 0, spins: 1 });
  });
});

describe('an order of the last two minutes', () => {
  test('is listed by the checkpoint of midnight', async () => {
    const early = await ordered(midnight - 2 * minute - 1);
    const late = await ordered(midnight - 2 * minute);
    expect(await close(midnight)).toBe(midnight + minute);
    expect(await stored()).toMatchObject([{ ...closedOrders([early.hash]), listed: [listedOrder(late)] }]);
    // One run draws both spins if the users share a shard.
    const runs = [await run(early.user_id), await run(late.user_id)];
    expect(runs.flatMap(({ rounds }) => rounds)).toEqual([midnight + minute, midnight + minute]);
    expect(runs).toMatchObject([{ open: 0 }, { open: 0 }]);
  });

  test('waits, if it is stored later, and is drawn with the round of the next checkpoint', async () => {
    const early = await ordered();
    await close(midnight);
    const late = await ordered(midnight - 1);
    expect((await run(late.user_id)).open).toBe(1);
    expect(await close(midnight + 15 * minute)).toBe(midnight + 16 * minute);
    expect(await stored()).toMatchObject([
      { ...closedOrders([early.hash]), listed: [], after: 0 },
      { ...closedOrders([]), listed: [listedOrder(late)], after: midnight + minute },
    ]);
    expect((await run(late.user_id)).rounds).toContain(midnight + 16 * minute);
    expect((await run(early.user_id)).rounds).not.toContain(midnight + 16 * minute);
    expect(await close(midnight + 30 * minute)).toBe(midnight + 16 * minute);
    expect(await stored()).toHaveLength(2);
  });

  test('gets a later round even if the first one is still to come', async () => {
    await ordered();
    await close(midnight);
    await ordered();
    expect(await close(midnight + 5000)).toBe(midnight + 2 * minute);
  });
});

test('an order that an operator cancelled and restored is listed', async () => {
  const order = await ordered();
  const spins = { organizationId, userId: order.user_id };
  const context = { operator: 'test', now: hourBefore };
  await cancelSpins(spins, context);
  await restoreSpins(spins, context);
  await close(midnight);
  expect(await stored()).toMatchObject([{ count: 0, listed: [listedOrder(order)] }]);
});

test('a cancellation that waits until shortly before midnight is refused', async () => {
  const order = await ordered();
  vi.useFakeTimers({ toFake: ['Date'] });
  const spins = { organizationId, userId: order.user_id };
  const cancelling = () => cancelSpins(spins, { operator: 'test', now: hourBefore });
  await watchingCalls(client, cancelling, (_, index) => {
    if (index === 0) vi.setSystemTime(Date.now() + 58 * minute);
    return undefined;
  });
  vi.useRealTimers();
  expect((await openOrdersOf(await readUser(organizationId, order.user_id))).length).toBe(1);
});

describe('a sweep that crosses midnight', () => {
  test('closes nothing, so that no order of the new day is late', async () => {
    // This order makes its shard due before midnight.
    await ordered(hourBefore - 24 * 60 * minute);
    for (let i = 0; i < 5; i++) await ordered();
    const started = performance.now();
    let changesEnded = 0;
    const slow = async (now: () => number) => {
      await vi.waitUntil(() => performance.now() > started + 100);
      changesEnded = now();
    };
    // Sends no messages, because a stage in this process would run the order at once: its day is ahead.
    vi.stubEnv('QUEUE_URL_SPIN_SHARDS', 'https://localhost/nowhere');
    await startSpinRun({}, midnight - 50, slow).catch(() => {});
    vi.unstubAllEnvs();
    expect(changesEnded).toBeGreaterThan(midnight);
    expect(await stored()).toEqual([]);
    await close(midnight + 200);
    expect(await stored()).toMatchObject([{ count: 6, listed: [] }]);
  });
});

describe('a start of the spin run', () => {
  const start = () => startSpinRun({}, midnight + 1000, async () => {});

  test('has its checkpoint timestamped by the stage’s authority', async () => {
    const authority = await startAuthority(
      (request, response) => void response.end(answerOf(request, midnight + 2000)),
    );
    vi.stubEnv('TIMESTAMP_AUTHORITIES', JSON.stringify([authority.setting]));
    await ordered();
    await start();
    expect((await stored())[0]!.timestamp).toBeDefined();
    vi.unstubAllEnvs();
    await authority.close();
  });

  test.each([
    ['suspended', { suspended: true }, { suspended: false }],
    ['paused', { paused: 'amoe' }, { paused: '' }],
  ])(
    'closes the orders of an organization that is %s, before their secret is public',
    async (_, hold, end) => {
      const order = await ordered();
      await changeSettings(organizationId, hold, { operator: 'test', now: hourBefore });
      await start();
      expect(await stored()).toMatchObject([closedOrders([order.hash])]);
      await changeSettings(organizationId, end, { operator: 'test', now: midnight + 2 * dayMs });
      expect(await run(order.user_id)).toMatchObject({ rounds: [midnight + minute], open: 0, spins: 1 });
    },
  );

  test('fails if orders could not be closed, so that operators are alarmed', async () => {
    await ordered();
    vi.stubEnv('BOOK_KEY_ARN', 'arn:aws:kms:us-east-1:0:key/absent');
    await expect(start()).rejects.toThrow('organizations whose orders could not be closed: 1');
    vi.unstubAllEnvs();
    expect(await stored()).toEqual([]);
  });
});

test('runs that overlap store the same parts of a list, in whatever sequence they find the orders', async () => {
  const hashes = times(35_010, (i) => sha256(`order ${i}`).toString('base64url'));
  const partsAfter = async (orders: string[]) => {
    await storeClosedOrders(organizationId, 0, 'digest', orders);
    return readRange(closedOrdersIn(organizationId, 0, 'digest'));
  };
  const parts = await partsAfter(hashes);
  expect(parts).toHaveLength(2);
  expect(await partsAfter(hashes.toReversed())).toEqual(parts);
});

describe('the timestamp of a checkpoint', () => {
  const root = new Uint8Array(localAuthority.root.certificate.raw);
  const given = (at: number) => async (digest: Uint8Array) => ({ token: tokenForDigest(digest, at), root });

  test('is of the signed note', async () => {
    await ordered();
    const closing = () => close(midnight, given(midnight + 4000));
    expect(await counted('UntimedCheckpoints', closing)).toEqual([]);
    const { note, timestamp } = (await lastCheckpoint(organizationId))!;
    const token = Buffer.from(timestamp!.token, 'base64');
    expect(timestamp!.root).toBe(Buffer.from(root).toString('base64'));
    expect(checkToken(token, sha256(note), [root]).at).toBe(midnight + 4000);
  });

  test('leads to a later round if the authority says that this round is close', async () => {
    await ordered();
    expect(await close(midnight, given(midnight + 50_001))).toBe(midnight + 2 * minute);
  });

  test('leads to a later round if the authority took until this round', async () => {
    await ordered();
    let now = midnight;
    const slow = async () => {
      now += 51_000;
      return undefined;
    };
    expect(await closeOrders(organizationId, allShards, due, () => now, slow)).toBe(midnight + 2 * minute);
  });

  test.each<[string, Asker | undefined, number[]]>([
    ['and raises the alarm, if no authority answers', async () => undefined, [1]],
    ['without an alarm on a stage without authorities', undefined, []],
  ])('is absent, %s', async (_, ask, alarms) => {
    await ordered();
    const closing = async () => expect(await close(midnight, ask)).toBe(midnight + minute);
    expect(await counted('UntimedCheckpoints', closing)).toEqual(alarms);
    expect(await lastCheckpoint(organizationId)).not.toHaveProperty('timestamp');
  });
});
