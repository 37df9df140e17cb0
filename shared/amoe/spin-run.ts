/**
 * The spin run: works off whatever orders are due. It only ever repeats what is safe to repeat, so it may be
 * started late, twice or by several at once: an order says itself what remains, and each transaction of its
 * spins also lowers that.
 */
import * as z from 'zod/mini';
import { log } from '../log.ts';
import { Refusal } from '../refusals.ts';
import { shuffled } from '../shuffled.ts';
import { dueOrdersOf } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { type Hold, holds } from '../vocabulary.ts';
import { randomnessFor } from './beacon.ts';
import { BeaconAway } from './relays.ts';
import { type Clock, runOrder } from './spin-batches.ts';
import { placeOf, type SpinOrder } from './spin-orders.ts';
import { type ShardMessage, sendShards } from './spin-queue.ts';

/** How a worker's turn at a shard ended. */
export type Turn = {
  /** Spins that it ran. */
  spins: number;
  /** Orders that it could not run; they stay due. */
  failed: number;
  /** Whether it stopped before the shard was empty, because its time was up. */
  unfinished: boolean;
  /** Whether it stopped because the beacon has not come to anything yet, or all spins of the organization are on hold. */
  away: boolean;
  /** Orders that it found on hold; they stay due. */
  held: number;
};

type RandomnessOf = typeof randomnessFor;

const pageSize = 100;

/** A worker runs orders of so many users side by side. */
const usersAtOnce = 8;

/**
 * Each outcome is a write to its shard's key of the index, which takes 1,000 a second. Less than half of them leaves room
 * for players, and for a second worker at the same shard.
 */
const spinsPerSecond = 450;

/**
 * Works off a shard's orders due by a day until none is left, `timeIsUp` says so, or the beacon is away. An order that
 * fails is left as it is and does not hold up the others.
 */
export async function runShard(
  message: ShardMessage,
  clock: Clock,
  randomnessOf: RandomnessOf = randomnessFor,
): Promise<Turn> {
  const turn: Turn = { spins: 0, failed: 0, unfinished: false, away: false, held: 0 };
  const seen = new Set<string>();
  const paced = { ...clock, pace: paceOf(spinsPerSecond) };
  for (;;) {
    const open = await nextOrders(message, seen);
    if (open.length === 0) return turn;
    const users = inTurn(open);
    const work = async () => {
      for (let orders = users.shift(); orders; orders = users.shift()) {
        for (const order of orders) {
          if (clock.timeIsUp()) turn.unfinished = true;
          if (turn.away || turn.unfinished) return;
          seen.add(order.order_id);
          const hold = await runOne(order, turn, paced, randomnessOf);
          // All of the user's are, if not all of the organization's.
          if (hold) for (const { order_id } of orders.splice(0)) seen.add(order_id);
          if (hold && hold !== 'user_frozen') turn.away = true;
        }
      }
    };
    await Promise.all(Array.from({ length: usersAtOnce }, work));
    if (turn.away || turn.unfinished) return turn;
  }
}

/** Waits until so many spins a second were run and no more, whoever of a worker's users they were of. */
function paceOf(perSecond: number): (spins: number) => Promise<void> {
  let free = 0;
  return async (spins) => {
    const now = performance.now();
    free = Math.max(free, now) + (spins * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, free - now));
  };
}

/**
 * Some of the orders that are due and were not seen. Those that were are passed over: they could not be run, or the
 * index, which lags, still lists them after their last spin.
 */
async function nextOrders(
  { organization_id, shard, day }: ShardMessage,
  seen: Set<string>,
): Promise<SpinOrder[]> {
  for await (const orders of batches(dueOrdersOf(organization_id, shard, day), { limit: pageSize })) {
    const open = (orders as SpinOrder[]).filter(({ order_id }) => !seen.has(order_id));
    if (open.length > 0) return open;
  }
  return [];
}

/**
 * The orders of each user. The earlier of two days first, whose beacon may be there when the other's is not; of one day
 * in any order, so that two workers at one shard seldom meet at the same user, where one of them would lose the race.
 */
function inTurn(orders: SpinOrder[]): SpinOrder[][] {
  const ordered = shuffled(orders).sort((a, b) => a.due_day.localeCompare(b.due_day));
  return [...Map.groupBy(ordered, ({ user_id }) => user_id).values()];
}

/** Runs an order, and notes in the turn what became of it. Returns what it is held by, if it is. */
async function runOne(
  order: SpinOrder,
  turn: Turn,
  clock: Clock,
  randomnessOf: RandomnessOf,
): Promise<Hold | undefined> {
  try {
    const randomness = order.beacon
      ? await randomnessOf(order.beacon, order.due_day, clock.now())
      : undefined;
    // To ask for it may have taken long.
    const isLate = clock.timeIsUp();
    const { ran, remaining } = isLate
      ? { ...order, ran: 0 }
      : await runOrder(placeOf(order), clock, randomness);
    turn.spins += ran;
    if (remaining > 0) turn.unfinished = true;
  } catch (error) {
    const hold = error instanceof Refusal ? holds.find((one) => one === error.code) : undefined;
    if (error instanceof BeaconAway) turn.away = true;
    else if (hold) turn.held++;
    else {
      turn.failed++;
      log.failure('spin order', error, { order_id: order.order_id, organization_id: order.organization_id });
    }
    return hold;
  }
  return undefined;
}

const shardMessage = z.object({
  organization_id: z.string(),
  shard: z.int().check(z.minimum(0)),
  day: z.iso.date(),
});

/** The message in a body off the queue. Throws if it is none. */
export const shardMessageIn = (body: string): ShardMessage => shardMessage.parse(JSON.parse(body));

/**
 * Works off the orders of a shard that are due by a day, and before the time is up hands on to a successor, by another
 * message. Returns false if the message has to be delivered again: there are orders that could not be run, and nobody
 * else to try them. What comes due while a message waits has a message of its own; what waits for the beacon, or is on
 * hold, is left to the sweep.
 */
export async function workOffShard(
  message: ShardMessage,
  clock: Clock,
  randomnessOf?: RandomnessOf,
): Promise<boolean> {
  const turn = await runShard(message, clock, randomnessOf);
  const { organization_id, shard } = message;
  log.info('spins ran', { organization_id, shard, ...turn });
  // If nothing could be run, a successor would fare no better: the message comes again later, and is parked in the end.
  const isStuck = turn.failed + turn.held > 0 && turn.spins === 0;
  if (!turn.unfinished || isStuck) return turn.failed === 0;
  await sendShards([message]);
  // The successor tries what failed again; were this message left to come again too, they would multiply.
  return true;
}
