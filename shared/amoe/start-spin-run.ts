/** How the spin run begins: whoever has orders that are due gets a worker. */
import { freeSpins, holdOn } from '../games/holds.ts';
import { settingsOf } from '../games/settings.ts';
import { timeOfUlid } from '../ids.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { asOfSchedule, scheduledFor } from '../scheduled.ts';
import { allShards } from '../shards.ts';
import { shuffled } from '../shuffled.ts';
import { getAll, type Item } from '../table/client.ts';
import { dueOrdersOf, organizations, type Range, userKey } from '../table/keys.ts';
import { batches, readRange } from '../table/ranges.ts';
import { dayOf, startOfDay } from '../time.ts';
import { type ShardMessage, sendShards } from './spin-queue.ts';

/** A shard that has orders to run, and for how long the first of them has been due, in seconds. */
export type DueShard = Omit<ShardMessage, 'day'> & { overdueSeconds: number };

/** How many shards are looked at side by side. */
const atOnce = 50;

/** The shards with orders due by the day that it is at a time in epoch milliseconds, in any order; none of what is on hold. */
export async function dueShards(now: number): Promise<DueShard[]> {
  const day = dayOf(now);
  const running = (await readRange(organizations())).filter(
    (organization) => holdOn(settingsOf(organization), freeSpins) === undefined,
  );
  const shards = shuffled(
    running.flatMap((organization) => allShards.map((shard) => ({ organization, shard }))),
  );
  const due: DueShard[] = [];
  const look = async () => {
    for (let one = shards.pop(); one; one = shards.pop()) {
      const organization_id = String(one.organization.organization_id);
      const range = dueOrdersOf(organization_id, one.shard, day);
      const [first] = await readRange(range, { limit: 1 });
      if (!first) continue;
      const isLate = overdueBy(first, one.organization, now) > overdueAfter;
      const waiting = isLate ? await firstWaiting(range) : first;
      const overdueSeconds = waiting ? overdueBy(waiting, one.organization, now) : 0;
      due.push({ organization_id, shard: one.shard, overdueSeconds });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, look));
  return due;
}

/** For how long an order could have been run, in seconds: until the last operation of its organization it may have been on hold. */
function overdueBy({ due_day }: Item, { last_operation }: Item, now: number): number {
  return (now - Math.max(startOfDay(String(due_day)), timeOfUlid(String(last_operation)))) / 1000;
}

/** The first of some due orders whose user is not frozen. */
async function firstWaiting(range: Range): Promise<Item | undefined> {
  for await (const orders of batches(range, { limit: mostPerRead })) {
    const keys = orders.map(({ organization_id, user_id }) =>
      userKey(String(organization_id), String(user_id)),
    );
    const users = await getAll([...new Map(keys.map((key) => [key.pk, key])).values()]);
    const frozen = new Set(users.flatMap((user) => (user?.frozen ? [user.pk] : [])));
    const waiting = orders.find((_, index) => !frozen.has(keys[index]!.pk));
    if (waiting) return waiting;
  }
  return undefined;
}

const mostPerRead = 100;

/** Orders that have been due for so long that nobody seems to be running them, in seconds. */
const overdueAfter = 2 * 3600;

/**
 * Makes the changes of settings that are due, sends one message for each shard with orders due, and returns how many it
 * sent. A one-time schedule is for the changes of its organization alone. Throws for an event that is not a schedule's.
 */
export async function startSpinRun(
  event: unknown,
  now: number,
  makeChanges: (asOf: number, organizationId?: string) => Promise<void>,
): Promise<{ shards: number }> {
  const asOf = asOfSchedule(event, now);
  const organizationId = scheduledFor(event);
  // What is set for midnight is in force before the spins of the day run.
  await makeChanges(asOf, organizationId);
  if (organizationId !== undefined) return { shards: 0 };
  const due = await dueShards(asOf);
  await sendShards(due.map(({ overdueSeconds: _, ...shard }) => ({ ...shard, day: dayOf(asOf) })));
  const overdue = due.filter(({ overdueSeconds }) => overdueSeconds > overdueAfter).length;
  log.info('spin run started', { shards: due.length, overdue_shards: overdue });
  count('OverdueSpinShards', overdue);
  return { shards: due.length };
}
