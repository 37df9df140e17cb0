/**
 * The spin run: works off whatever orders are due. It only ever repeats what is safe to repeat, so it may be
 * started late, twice or by several at once: an order says itself what remains, and each transaction of its
 * spins also lowers that.
 */
import * as z from 'zod/mini';
import { log } from '../log.ts';
import { shuffled } from '../shuffled.ts';
import { dueOrdersOf } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { randomnessFor } from './beacon.ts';
import { BeaconAway } from './relays.ts';
import { type Clock, runOrder } from './spin-batches.ts';
import { placeOf, type SpinOrder, spinShards } from './spin-orders.ts';
import { type ShardMessage, sendShards } from './spin-queue.ts';

/** How a worker's turn at a shard ended. */
export type Turn = {
  /** Spins that it ran. */
  spins: number;
  /** Orders that it could not run; they stay due. */
  failed: number;
  /** Whether it stopped before the shard was empty, because its time was up. */
  unfinished: boolean;
  /** Whether it stopped because the beacon has not come to anything yet. */
  away: boolean;
};

type RandomnessOf = typeof randomnessFor;

const pageSize = 50;

/**
 * Works off a shard's orders due by a day until none is left, `timeIsUp` says so, or the beacon is away. An order that
 * fails is left as it is and does not hold up the others.
 */
export async function runShard(
  shard: number,
  day: string,
  clock: Clock,
  randomnessOf: RandomnessOf = randomnessFor,
): Promise<Turn> {
  const turn: Turn = { spins: 0, failed: 0, unfinished: false, away: false };
  const seen = new Set<string>();
  for (;;) {
    const open = await nextOrders(shard, day, seen);
    if (open.length === 0) return turn;
    for (const order of inTurn(open)) {
      if (clock.timeIsUp()) return { ...turn, unfinished: true };
      seen.add(order.order_id);
      await runOne(order, turn, clock, randomnessOf);
      if (turn.away) return turn;
    }
  }
}

/**
 * Some of the orders that are due and were not seen. Those that were are passed over: they could not be run, or the
 * index, which lags, still lists them after their last spin.
 */
async function nextOrders(shard: number, day: string, seen: Set<string>): Promise<SpinOrder[]> {
  for await (const orders of batches(dueOrdersOf(shard, day), { limit: pageSize })) {
    const open = (orders as SpinOrder[]).filter(({ order_id }) => !seen.has(order_id));
    if (open.length > 0) return open;
  }
  return [];
}

/**
 * The earlier of two days first, whose beacon may be there when the other's is not; of one day in any order, so that two
 * workers at one shard seldom meet at the same user, where one of them would lose the race.
 */
const inTurn = (orders: SpinOrder[]) => shuffled(orders).sort((a, b) => a.due_day.localeCompare(b.due_day));

async function runOne(order: SpinOrder, turn: Turn, clock: Clock, randomnessOf: RandomnessOf): Promise<void> {
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
    if (error instanceof BeaconAway) {
      turn.away = true;
      return;
    }
    turn.failed++;
    log.failure('spin order', error, { order_id: order.order_id, organization_id: order.organization_id });
  }
}

const shardMessage = z.object({
  shard: z.int().check(z.minimum(0), z.maximum(spinShards - 1)),
  day: z.iso.date(),
});

/** The message in a body off the queue. Throws if it is none. */
export const shardMessageIn = (body: string): ShardMessage => shardMessage.parse(JSON.parse(body));

/**
 * Works off the orders of a shard that are due by a day, and before the time is up hands on to a successor, by another
 * message. Returns false if the message has to be delivered again: there are orders that could not be run, and nobody
 * else to try them. What comes due while a message waits has a message of its own, and what waits for the beacon is left
 * to the sweep.
 */
export async function workOffShard(
  { shard, day }: ShardMessage,
  clock: Clock,
  randomnessOf?: RandomnessOf,
): Promise<boolean> {
  const turn = await runShard(shard, day, clock, randomnessOf);
  log.info('spins ran', { shard, ...turn });
  // If nothing could be run, a successor would fare no better: the message comes again later, and is parked in the end.
  const isStuck = turn.failed > 0 && turn.spins === 0;
  if (!turn.unfinished || isStuck) return turn.failed === 0;
  await sendShards([{ shard, day }]);
  // The successor tries what failed again; were this message left to come again too, they would multiply.
  return true;
}
