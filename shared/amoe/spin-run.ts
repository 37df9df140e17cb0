/**
 * The spin run: runs the due orders. It can start late, twice or on several workers at once, because each
 * transaction of spins lowers the number of remaining spins in the order's due item.
 */
import * as z from 'zod/mini';
import { log } from '../log.ts';
import { Refusal } from '../refusals.ts';
import { shuffled } from '../shuffled.ts';
import { type Hold, holds } from '../vocabulary.ts';
import { randomnessFor } from './beacon.ts';
import { type OpenOrder, openOrdersInShard } from './open-orders.ts';
import { BeaconUnavailable } from './relays.ts';
import { type Clock, runOrder } from './spin-batches.ts';
import { type ShardMessage, sendShards } from './spin-queue.ts';

/** The result of a worker's turn at a shard. */
export type Turn = {
  /** Number of spins that ran. */
  spins: number;
  /** Number of orders that failed. They stay due. */
  failed: number;
  /** Whether the worker stopped because its time was up. */
  unfinished: boolean;
  /** Whether the worker stopped because no relay has the beacon's round yet. */
  beaconUnavailable: boolean;
  /** Whether the worker stopped because the organization's free spins are on hold. */
  onHold: boolean;
  /** Number of orders found on hold because of their organization or user. They stay due. */
  held: number;
};

type RandomnessOf = typeof randomnessFor;

/** Number of users whose orders a worker runs concurrently. */
const usersAtOnce = 8;

/**
 * Rate limit of a worker. A DynamoDB key takes 1,000 write units a second. An outcome uses one unit of its
 * shard's key in the index, and a changed due item two units of one of the shard's two keys. The limit leaves
 * capacity for players and a second worker.
 */
const spinsPerSecond = 450;

/**
 * Runs the orders of a shard that are due by a day. Stops if the time is up, the beacon is unavailable, or
 * the organization's free spins are on hold. A failed order does not stop the others.
 */
export async function runShard(
  { organization_id, shard, day }: ShardMessage,
  clock: Clock,
  randomnessOf: RandomnessOf = randomnessFor,
): Promise<Turn> {
  const turn: Turn = {
    spins: 0,
    failed: 0,
    held: 0,
    unfinished: false,
    beaconUnavailable: false,
    onHold: false,
  };
  const isOver = () => turn.unfinished || turn.beaconUnavailable || turn.onHold;
  const paced = { ...clock, pace: paceOf(spinsPerSecond) };
  for await (const open of openOrdersInShard(organization_id, shard, day)) {
    const users = inTurn(open);
    const work = async () => {
      for (let orders = users.shift(); orders; orders = users.shift()) {
        for (const order of orders) {
          if (clock.timeIsUp()) turn.unfinished = true;
          if (isOver()) return;
          const hold = await runOne(order, turn, paced, randomnessOf);
          if (hold && hold !== 'user_frozen') turn.onHold = true;
          // The user's other orders are on hold too.
          if (hold) break;
        }
      }
    };
    await Promise.all(Array.from({ length: usersAtOnce }, work));
    if (isOver()) break;
  }
  return turn;
}

/**
 * Returns a function that delays a worker so that all its users together run at most `perSecond` spins a
 * second.
 */
function paceOf(perSecond: number): (spins: number) => Promise<void> {
  let free = 0;
  return async (spins) => {
    const now = performance.now();
    free = Math.max(free, now) + (spins * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, free - now));
  };
}

/**
 * Groups orders by user. Earlier days come first, because the beacon may have their round but not yet a later
 * one. Orders of one day are shuffled, so that two workers on one shard rarely conflict on the same user.
 */
function inTurn(open: OpenOrder[]): OpenOrder[][] {
  const ordered = shuffled(open).sort((a, b) => a.order.due_day.localeCompare(b.order.due_day));
  return [...Map.groupBy(ordered, ({ order }) => order.user_id).values()];
}

/** Runs an order and adds the result to the turn. Returns the hold that blocks the order, if any. */
async function runOne(
  { order }: OpenOrder,
  turn: Turn,
  clock: Clock,
  randomnessOf: RandomnessOf,
): Promise<Hold | undefined> {
  try {
    const randomness = order.beacon
      ? await randomnessOf(order.beacon, order.due_day, clock.now())
      : undefined;
    // Asking the relays can take up to 20 s.
    if (clock.timeIsUp()) {
      turn.unfinished = true;
      return undefined;
    }
    const { outcomes, remaining } = await runOrder(order, clock, randomness);
    turn.spins += outcomes.length;
    if (remaining > 0) turn.unfinished = true;
  } catch (error) {
    const hold = error instanceof Refusal ? holds.find((one) => one === error.code) : undefined;
    if (error instanceof BeaconUnavailable) turn.beaconUnavailable = true;
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

/** Parses the body of a message. Throws if it is malformed. */
export const shardMessageIn = (body: string): ShardMessage => shardMessage.parse(JSON.parse(body));

/**
 * Runs the orders of a shard that are due by a day. If the time is up, sends the message to a successor.
 * Returns false if SQS must deliver the message again: some orders failed and there is no successor to retry
 * them. The sweep retries orders that wait for the beacon or are on hold.
 */
export async function workOffShard(
  message: ShardMessage,
  clock: Clock,
  randomnessOf?: RandomnessOf,
): Promise<boolean> {
  const turn = await runShard(message, clock, randomnessOf);
  const { organization_id, shard } = message;
  log.info('spins ran', { organization_id, shard, ...turn });
  // No order could run, so a successor would fail too. SQS delivers the message again later, and finally
  // moves it to the dead-letter queue.
  const isStuck = turn.failed + turn.held > 0 && turn.spins === 0;
  if (!turn.unfinished || isStuck) return turn.failed === 0;
  await sendShards([message]);
  // The successor retries the failed orders. Returning this message to the queue as well would multiply
  // messages.
  return true;
}
