/**
 * The spin run: works off whatever orders are due. It only ever repeats what is safe to repeat, so it may be started late,
 * twice or by several at once: a due item says what remains of an order, and each transaction of spins lowers that.
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

/** How a worker's turn at a shard ended. */
export type Turn = {
  /** Spins that it ran. */
  spins: number;
  /** Orders that it could not run; they stay due. */
  failed: number;
  /** Whether it stopped before the shard was empty, because its time was up. */
  unfinished: boolean;
  /** Whether it stopped because the round of the beacon is not there yet. */
  beaconUnavailable: boolean;
  /** Whether it stopped because all free spins of the organization are on hold. */
  onHold: boolean;
  /** Orders that it found on hold, with their organization or their user; they stay due. */
  held: number;
};

type RandomnessOf = typeof randomnessFor;

/** A worker runs orders of so many users side by side. */
const usersAtOnce = 8;

/**
 * Each outcome is a write to its shard's key of the index, and each due item two to one of its shard's two keys of the
 * table. A key takes 1,000 a second: less than half of them leaves room for players, and for a second worker at the shard.
 */
const spinsPerSecond = 450;

/**
 * Works off a shard's orders due by a day until it has been at each, `timeIsUp` says so, the beacon is unavailable, or the
 * organization is on hold. An order that fails is left as it is and does not hold up the others.
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
          // All other orders of the user are on hold too.
          if (hold) break;
        }
      }
    };
    await Promise.all(Array.from({ length: usersAtOnce }, work));
    if (isOver()) break;
  }
  return turn;
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
 * The orders of each user. The earlier of two days first, whose beacon may be there when the other's is not; of one day
 * in any order, so that two workers at one shard seldom meet at the same user, where one of them would lose the race.
 */
function inTurn(open: OpenOrder[]): OpenOrder[][] {
  const ordered = shuffled(open).sort((a, b) => a.order.due_day.localeCompare(b.order.due_day));
  return [...Map.groupBy(ordered, ({ order }) => order.user_id).values()];
}

/** Runs an order, and notes in the turn what became of it. Returns what it is held by, if it is. */
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
    // To ask for it may have taken long.
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
