/**
 * The spin run, which runs all due orders of free spins. A run can start late, start twice or use several
 * workers without running a spin twice, because each transaction of spins checks and lowers the order's
 * number of remaining spins.
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

/** Result of running a shard's due orders in one worker. */
export type Turn = {
  /** Number of spins that ran. */
  spins: number;
  /** Number of orders that failed with an error. These orders stay due. */
  failed: number;
  /** True if spins remain because the worker's time was up. */
  unfinished: boolean;
  /** True if the worker stopped because no relay has the beacon's round yet. */
  beaconUnavailable: boolean;
  /** True if the worker stopped because the organization's free spins are on hold. */
  onHold: boolean;
  /**
   * Number of orders that did not run because their organization or user is on hold. These orders stay due.
   */
  held: number;
};

type RandomnessOf = typeof randomnessFor;

/** Maximum number of users whose orders one worker runs concurrently. */
const usersAtOnce = 8;

/**
 * Rate limit of one worker. DynamoDB allows 1,000 write units per second and partition key. Each outcome
 * writes 1 unit to its shard's partition key in the index `byTime`. Each update of a due item writes 2 units
 * to one of the shard's two partition keys for due items. With 450 spins per second, capacity remains for
 * regular plays and a second worker.
 */
const spinsPerSecond = 450;

/**
 * Runs the orders of a shard that are due on or before `day`. Stops if the time is up, the beacon is
 * unavailable, or the organization's free spins are on hold. Continues with the next order if an order fails,
 * and with the next user if a user is frozen.
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
          // A hold applies to all orders of the user, so the worker skips the user's other orders.
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
 * Returns a function to call after each batch of spins. The function waits, so that all concurrent callers
 * together run at most `perSecond` spins per second.
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
 * Sorts orders by due day and groups them by user. Earlier due days come first, because the beacon may
 * already have the round of an earlier day but not of a later one. Orders with the same due day are shuffled,
 * so that two workers on one shard seldom run the same user's orders at the same time.
 */
function inTurn(open: OpenOrder[]): OpenOrder[][] {
  const ordered = shuffled(open).sort((a, b) => a.order.due_day.localeCompare(b.order.due_day));
  return [...Map.groupBy(ordered, ({ order }) => order.user_id).values()];
}

/**
 * Runs one order and adds the result to `turn`. If a hold blocks the order (for example a frozen user),
 * returns the hold.
 */
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
    // Checks the time again, because getting the beacon's round can take 20 s.
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

/** Parses the JSON body of an SQS message. Throws if the body is malformed. */
export const shardMessageIn = (body: string): ShardMessage => shardMessage.parse(JSON.parse(body));

/**
 * Handles an SQS message: runs the orders of a shard that are due on or before a day. If the time is up,
 * sends the same message again, so that another worker continues. Returns false if SQS must redeliver this
 * message, because some orders failed and no other worker will retry them. Orders that wait for the beacon or
 * are on hold need no redelivery: the next spin run, within 15 minutes, retries them.
 */
export async function workOffShard(
  message: ShardMessage,
  clock: Clock,
  randomnessOf?: RandomnessOf,
): Promise<boolean> {
  const turn = await runShard(message, clock, randomnessOf);
  const { organization_id, shard } = message;
  log.info('spins ran', { organization_id, shard, ...turn });
  // `isStuck` is true if no spin ran, and orders failed or were on hold. In this case, no new message is
  // sent, because another worker would fail in the same way. If orders failed, SQS redelivers this message
  // later and finally moves it to the dead-letter queue.
  const isStuck = turn.failed + turn.held > 0 && turn.spins === 0;
  if (!turn.unfinished || isStuck) return turn.failed === 0;
  await sendShards([message]);
  // Returns true (this message is done) even if orders failed: a new message is queued already, and its
  // worker retries them. If SQS also redelivered this message, the number of messages would grow with every
  // run.
  return true;
}
