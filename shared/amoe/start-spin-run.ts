import type { OrderRecord } from '../accounts/records.ts';
import { currentStage } from '../environment.ts';
import { endsHoldOn, firstHold, freeSpinFeatures, type HoldAction, requireNoHold } from '../games/holds.ts';
import { gameOfVersion } from '../games/prize-tables.ts';
import { type Settings, settingsOf } from '../games/settings.ts';
import { ulidTimePart } from '../ids.ts';
import { log } from '../log.ts';
import { countMetric } from '../metrics.ts';
import { concurrently } from '../promises.ts';
import { faultRefusals } from '../refusals.ts';
import { scheduledOrganization, scheduledTime } from '../scheduled.ts';
import { allShards } from '../shards.ts';
import { shuffled } from '../shuffled.ts';
import { debugStages } from '../stage.ts';
import { getItem, getItems } from '../table/client.ts';
import {
  actionsOf,
  between,
  dueItemsInShard,
  organizationKey,
  organizationsRange,
  userKey,
} from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { addDays, dayOf } from '../time.ts';
import { readOpenOrdersInShard, remainingSpinsIn } from './open-orders.ts';
import { type ShardMessage, sendSpinShards } from './spin-queue.ts';

/** `isOverdue` is true if an order was due two hours ago and has not been on hold since. */
type DueShard = ShardMessage & { isOverdue: boolean };

const shardsAtOnce = 50;

/** Returns the shards with orders due at `now` (epoch milliseconds), of all organizations that are not on hold. */
export async function readDueShards(now: number): Promise<DueShard[]> {
  const organizationsInRun = (await readRange(organizationsRange()))
    .map((organization) => ({ id: String(organization.organization_id), settings: settingsOf(organization) }))
    .filter(({ settings }) => firstHold(settings, ['amoe']) === undefined);
  const day = dayOf(now);
  const shards = organizationsInRun.flatMap(({ id, settings }) =>
    allShards.map((shard) => ({ message: { organization_id: id, shard, day }, settings })),
  );
  const due: DueShard[] = [];
  await concurrently(shardsAtOnce, shuffled(shards), async ({ message, settings }) => {
    const ranges = dueItemsInShard(message.organization_id, message.shard, message.day);
    const first = await Promise.all(ranges.map((range) => readRange(range, { limit: 1 })));
    if (first.flat().length > 0) due.push({ ...message, isOverdue: await isOverdue(message, settings, now) });
  });
  return due;
}

const spinsOverdueAfterMs = 2 * 3_600_000;

async function isOverdue({ organization_id, shard }: ShardMessage, settings: Settings, now: number) {
  const since = now - spinsOverdueAfterMs;
  const latest = between(actionsOf(organization_id), ulidTimePart(since));
  for await (const open of readOpenOrdersInShard(organization_id, shard, dayOf(since))) {
    const actions = (await readRange(latest)) as HoldAction[];
    const users = [...new Set(open.map(({ order }) => order.user_id))];
    const keys = users.map((user) => userKey(organization_id, user));
    const found = await getItems(keys);
    const frozen = new Set(users.filter((_, index) => found[index]?.frozen));
    const wasHeld = (order: OrderRecord) =>
      frozen.has(order.user_id) ||
      firstHold(settings, freeSpinFeatures(gameOfVersion(order.prize_table_version))) !== undefined ||
      actions.some((action) => endsHoldOn(order, action));
    if (open.some(({ order }) => !wasHeld(order))) return true;
  }
  return false;
}

export async function startSpinRun(
  event: unknown,
  now: number,
  makeChanges: (now: () => number, organizationId?: string) => Promise<void>,
): Promise<{ shards: number }> {
  // The scheduled time if this machine's clock is behind it, else the current time.
  const asOf = scheduledTime(event, now);
  const started = performance.now();
  const clock = () => asOf + Math.floor(performance.now() - started);
  const organizationId = scheduledOrganization(event);
  // Makes changes before spins run, because settings scheduled for a day apply to the day's spins.
  await makeChanges(clock, organizationId);
  // An event with an organization's id is from a one-time schedule of a settings change or drawing, which starts no
  // spins.
  if (organizationId !== undefined) return { shards: 0 };
  const due = await readDueShards(asOf);
  await sendSpinShards(due.map(({ isOverdue: _, ...message }) => message));
  const overdue = due.filter(({ isOverdue }) => isOverdue).length;
  log.info('spin run started', { shards: due.length, overdue_shards: overdue });
  countMetric('OverdueSpinShards', overdue);
  return { shards: due.length };
}

/** Starts queued spins, also tomorrow's, now. Throws a Refusal if free spins are on hold, or `outcome_unknown`. */
export async function startSpinRunNow(organizationId: string, now: number): Promise<number> {
  if (!debugStages.includes(currentStage())) throw new Error(`${currentStage()} runs no spins early`);
  requireNoHold(settingsOf(await getItem(organizationKey(organizationId))), ['amoe']);
  const tomorrow = addDays(dayOf(now), 1);
  const counted = await Promise.all(
    allShards.map(async (shard) => {
      const ranges = dueItemsInShard(organizationId, shard, tomorrow);
      const due = await Promise.all(ranges.map((range) => readRange(range, { consistent: true })));
      return { shard, spins: due.flat().reduce((sum, item) => sum + remainingSpinsIn(item), 0) };
    }),
  );
  const waiting = counted.filter(({ spins }) => spins > 0);
  const messages = waiting.map(({ shard }) => ({ organization_id: organizationId, shard, day: tomorrow }));
  await sendSpinShards(messages).catch((error: unknown) => {
    throw faultRefusals.outcomeUnknown(error);
  });
  return waiting.reduce((sum, { spins }) => sum + spins, 0);
}
