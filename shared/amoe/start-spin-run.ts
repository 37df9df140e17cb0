/** How the spin run begins: whoever has orders that are due gets a worker. */
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { scheduledTime } from '../scheduled.ts';
import { dueOrdersOf } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { dayOf, startOfDay } from '../time.ts';
import { type SpinOrder, spinShards } from './spin-orders.ts';
import { sendShards } from './spin-queue.ts';

/** A shard that has orders to run, and for how long the first of them has been due, in seconds. */
export type DueShard = { shard: number; overdueSeconds: number };

/** The shards with orders due by the day that it is at a time in epoch milliseconds. */
export async function dueShards(now: number): Promise<DueShard[]> {
  const day = dayOf(now);
  const shards = Array.from({ length: spinShards }, (_, shard) => shard);
  const firsts = await Promise.all(shards.map((shard) => readRange(dueOrdersOf(shard, day), { limit: 1 })));
  return firsts.flatMap(([first], shard) =>
    first ? [{ shard, overdueSeconds: (now - startOfDay((first as SpinOrder).due_day)) / 1000 }] : [],
  );
}

/** Orders that have been due for so long that nobody seems to be running them, in seconds. */
const overdueAfter = 2 * 3600;

/**
 * Sends one message for each shard with orders due, and returns how many it sent. Due is what is due now (epoch
 * milliseconds), and at the time of the schedule's event, which a clock of ours may not have reached. Throws for an
 * event that is not a schedule's.
 */
export async function startSpinRun(event: unknown, now: number): Promise<{ shards: number }> {
  const asOf = Math.max(now, scheduledTime(event));
  const due = await dueShards(asOf);
  await sendShards(due.map(({ shard }) => ({ shard, day: dayOf(asOf) })));
  const overdue = due.filter(({ overdueSeconds }) => overdueSeconds > overdueAfter).length;
  log.info('spin run started', { shards: due.length, overdue_shards: overdue });
  count('OverdueSpinShards', overdue);
  return { shards: due.length };
}
