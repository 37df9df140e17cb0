/** How the spin run begins: whoever has orders that are due gets a worker. */
import { makeScheduledChanges } from '../games/scheduled-changes.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { scheduledTime } from '../scheduled.ts';
import { shuffled } from '../shuffled.ts';
import { spreadIn } from '../spread.ts';
import { dueOrdersOf, organizations } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { dayOf, startOfDay } from '../time.ts';
import { type ShardMessage, sendShards } from './spin-queue.ts';

/** A shard that has orders to run, and for how long the first of them has been due, in seconds. */
export type DueShard = Omit<ShardMessage, 'day'> & { overdueSeconds: number };

/** How many shards all organizations shared before each had its own; nothing is added to them any more. */
const sharedShards = 16;
/** How many shards are looked at side by side. */
const atOnce = 50;

/** The shards with orders due by the day that it is at a time in epoch milliseconds, in any order. */
export async function dueShards(now: number): Promise<DueShard[]> {
  const day = dayOf(now);
  const shards = shuffled([...numbered(undefined, sharedShards), ...(await shardsOfAll())]);
  const due: DueShard[] = [];
  const look = async () => {
    for (let one = shards.pop(); one; one = shards.pop()) {
      const [first] = await readRange(dueOrdersOf(one.organization_id, one.shard, day), { limit: 1 });
      if (first) due.push({ ...one, overdueSeconds: (now - startOfDay(String(first.due_day))) / 1000 });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, look));
  return due;
}

const numbered = (organization_id: string | undefined, count: number) =>
  Array.from({ length: count }, (_, shard) => ({ organization_id, shard }));

/** The shards that organizations have. New ones are known minutes before there is anything in them. */
async function shardsOfAll() {
  const all = await readRange(organizations());
  return all.flatMap(({ organization_id, spread }) =>
    numbered(String(organization_id), spreadIn(spread).shards),
  );
}

/** Orders that have been due for so long that nobody seems to be running them, in seconds. */
const overdueAfter = 2 * 3600;

/**
 * Makes the changes of settings whose day has come, sends one message for each shard with orders due, and returns how many it sent. Due is what is due now (epoch
 * milliseconds), and at the time of the schedule's event, which a clock of ours may not have reached. Throws for an
 * event that is not a schedule's.
 */
export async function startSpinRun(event: unknown, now: number): Promise<{ shards: number }> {
  const asOf = Math.max(now, scheduledTime(event));
  // What is set for a day is in force before its spins run.
  await makeScheduledChanges(asOf);
  const due = await dueShards(asOf);
  await sendShards(due.map(({ overdueSeconds: _, ...shard }) => ({ ...shard, day: dayOf(asOf) })));
  const overdue = due.filter(({ overdueSeconds }) => overdueSeconds > overdueAfter).length;
  log.info('spin run started', { shards: due.length, overdue_shards: overdue });
  count('OverdueSpinShards', overdue);
  return { shards: due.length };
}
