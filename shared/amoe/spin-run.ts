/** The spin run, which runs all due orders. Each transaction checks the remaining spins, so that no spin runs twice. */
import * as z from 'zod/mini';
import { gameOfVersion } from '../games/prize-tables.ts';
import { log } from '../log.ts';
import { concurrently } from '../promises.ts';
import { Refusal } from '../refusals.ts';
import { shuffled } from '../shuffled.ts';
import { type Game, type Hold, holds } from '../vocabulary.ts';
import { type OpenOrder, readOpenOrdersInShard } from './open-orders.ts';
import { runOrderSpins, type SpinClock } from './spin-batches.ts';
import { type ShardMessage, sendSpinShards } from './spin-queue.ts';

export type ShardRun = {
  spins: number;
  failed: number;
  /** True if spins remain because the worker's time was up. */
  unfinished: boolean;
  /** True if the worker stopped because the organization is suspended. */
  onHold: boolean;
  /** Number of orders that did not run, and stay due, because of a hold. */
  held: number;
};

const usersAtOnce = 8;

/** A DynamoDB partition key takes 1,000 write units a second. 450 spins leave room for plays and a second worker. */
const spinsPerSecond = 450;

/** Runs a shard's orders due by `day`, until time is up or the organization is suspended. */
export async function runShardSpins(
  { organization_id, shard, day }: ShardMessage,
  clock: SpinClock,
): Promise<ShardRun> {
  const turn: ShardRun = { spins: 0, failed: 0, held: 0, unfinished: false, onHold: false };
  const isOver = () => turn.unfinished || turn.onHold;
  const paced = { ...clock, pace: createPacer(spinsPerSecond) };
  const pausedGames = new Set<Game>();
  for await (const open of readOpenOrdersInShard(organization_id, shard, day)) {
    await concurrently(usersAtOnce, ordersByUser(open), async (orders) => {
      for (const order of orders) {
        if (!isOver() && clock.timeIsUp()) turn.unfinished = true;
        if (isOver()) return;
        const game = gameOfVersion(order.order.prize_table_version);
        if (pausedGames.has(game)) {
          turn.held++;
          continue;
        }
        const hold = await runOne(order, turn, paced);
        if (hold === 'game_paused') pausedGames.add(game);
        if (hold === 'organization_suspended') turn.onHold = true;
        // Skips the user's other orders, because the hold applies to all of them.
        if (hold === 'user_frozen') return;
      }
    });
    if (isOver()) break;
  }
  return turn;
}

/** Returns a function that waits after a batch, so that all callers together keep to `perSecond` spins. */
export function createPacer(perSecond: number): (spins: number) => Promise<void> {
  let free = 0;
  return async (spins) => {
    const now = performance.now();
    free = Math.max(free, now) + (spins * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, free - now));
  };
}

function ordersByUser(open: OpenOrder[]): OpenOrder[][] {
  // Shuffles each day's orders, so that two workers seldom change the same user at the same time.
  const ordered = shuffled(open).sort((a, b) => a.order.due_day.localeCompare(b.order.due_day));
  return [...Map.groupBy(ordered, ({ order }) => order.user_id).values()];
}

/** Runs one order and adds the result to `turn`. Returns the hold that blocks the order, if any. */
async function runOne({ order }: OpenOrder, turn: ShardRun, clock: SpinClock): Promise<Hold | undefined> {
  try {
    const { outcomes, remaining } = await runOrderSpins(order, clock);
    turn.spins += outcomes.length;
    if (remaining > 0) turn.unfinished = true;
  } catch (error) {
    const hold = error instanceof Refusal ? holds.find((one) => one === error.code) : undefined;
    if (hold) turn.held++;
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

export const parseShardMessage = (body: string): ShardMessage => shardMessage.parse(JSON.parse(body));

/** Returns false if SQS should redeliver the message, because orders failed. */
export async function handleShardMessage(message: ShardMessage, clock: SpinClock): Promise<boolean> {
  const turn = await runShardSpins(message, clock);
  const { organization_id, shard } = message;
  log.info('spins ran', { organization_id, shard, ...turn });
  // If no spin ran because orders failed or were on hold, another worker would run no spin either.
  const isStuck = turn.failed + turn.held > 0 && turn.spins === 0;
  if (!turn.unfinished || isStuck) return turn.failed === 0;
  // The time was up, so another worker continues.
  await sendSpinShards([message]);
  // Even if orders failed, SQS need not redeliver the message: the message sent above also retries failed orders.
  return true;
}
