/** How the spin run begins: whoever has orders that are due gets a worker. */
import { freeSpins, holdOn } from '../games/holds.ts';
import { settingsOf } from '../games/settings.ts';
import { timeOfUlid } from '../ids.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { scheduledTime } from '../scheduled.ts';
import { shuffled } from '../shuffled.ts';
import { spreadIn } from '../spread.ts';
import { getAll, type Item } from '../table/client.ts';
import { dueOrdersOf, organizations, type Range, userKey } from '../table/keys.ts';
import { batches, readRange } from '../table/ranges.ts';
import { dayOf, startOfDay } from '../time.ts';
import { type ShardMessage, sendShards } from './spin-queue.ts';

/** A shard that has orders to run, and for how long the first of them has been due, in seconds. */
export type DueShard = Omit<ShardMessage, 'day'> & { overdueSeconds: number };

/** How many shards all organizations shared before each had its own; nothing is added to them any more. */
const sharedShards = 16;
/** How many shards are looked at side by side. */
const atOnce = 50;

/** The shards with orders due by the day that it is at a time in epoch milliseconds, in any order; none of what is on hold. */
export async function dueShards(now: number): Promise<DueShard[]> {
  const day = dayOf(now);
  const all = await readRange(organizations());
  const known = new Map(all.map((organization) => [String(organization.organization_id), organization]));
  const running = all.filter((organization) => !isOnHold(organization));
  const shards = shuffled([...numbered(undefined, sharedShards), ...running.flatMap(shardsOf)]);
  const due: DueShard[] = [];
  const look = async () => {
    for (let one = shards.pop(); one; one = shards.pop()) {
      const range = dueOrdersOf(one.organization_id, one.shard, day);
      const [first] = await readRange(range, { limit: 1 });
      if (!first) continue;
      const isLate = overdueBy(first, known, now) > overdueAfter;
      const waiting = isLate ? await firstWaiting(range, known) : first;
      due.push({ ...one, overdueSeconds: waiting ? overdueBy(waiting, known, now) : 0 });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, look));
  return due;
}

type Organizations = Map<string, Item>;

const numbered = (organization_id: string | undefined, count: number) =>
  Array.from({ length: count }, (_, shard) => ({ organization_id, shard }));

/** The shards of an organization. New ones are known minutes before there is anything in them. */
const shardsOf = ({ organization_id, spread }: Item) =>
  numbered(String(organization_id), spreadIn(spread).shards);

const isOnHold = (organization: Item | undefined) =>
  holdOn(settingsOf(organization), freeSpins) !== undefined;

/** For how long an order could have been run, in seconds: until the last thing that operators did it may have been on hold. */
function overdueBy({ due_day, organization_id }: Item, known: Organizations, now: number): number {
  const operated = known.get(String(organization_id))?.last_operation;
  const since = operated === undefined ? 0 : timeOfUlid(String(operated));
  return (now - Math.max(startOfDay(String(due_day)), since)) / 1000;
}

/** The first of due orders that is not on hold with its organization or its user. */
async function firstWaiting(range: Range, known: Organizations): Promise<Item | undefined> {
  for await (const orders of batches(range, { limit: mostPerRead })) {
    const open = orders.filter(({ organization_id }) => !isOnHold(known.get(String(organization_id))));
    const keys = open.map(({ organization_id, user_id }) =>
      userKey(String(organization_id), String(user_id)),
    );
    const users = await getAll([...new Map(keys.map((key) => [key.pk, key])).values()]);
    const frozen = new Set(users.flatMap((user) => (user?.frozen ? [user.pk] : [])));
    const waiting = open.find((_, index) => !frozen.has(keys[index]!.pk));
    if (waiting) return waiting;
  }
  return undefined;
}

const mostPerRead = 100;

/** Orders that have been due for so long that nobody seems to be running them, in seconds. */
const overdueAfter = 2 * 3600;

/**
 * Makes the changes of settings whose day has come, sends one message for each shard with orders due, and returns how
 * many it sent. Due is what is due now (epoch milliseconds), and at the time of the schedule's event, which a clock of
 * ours may not have reached. Throws for an event that is not a schedule's.
 */
export async function startSpinRun(
  event: unknown,
  now: number,
  makeChanges: (asOf: number) => Promise<void>,
): Promise<{ shards: number }> {
  const asOf = Math.max(now, scheduledTime(event));
  // What is set for a day is in force before its spins run.
  await makeChanges(asOf);
  const due = await dueShards(asOf);
  await sendShards(due.map(({ overdueSeconds: _, ...shard }) => ({ ...shard, day: dayOf(asOf) })));
  const overdue = due.filter(({ overdueSeconds }) => overdueSeconds > overdueAfter).length;
  log.info('spin run started', { shards: due.length, overdue_shards: overdue });
  count('OverdueSpinShards', overdue);
  return { shards: due.length };
}
