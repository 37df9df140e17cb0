/** Runs free spins. Each transaction records up to 30 and subtracts them from the order's remaining spins. */
import { commit, type Decision, type ReadItems } from '../accounts/commit.ts';
import {
  type HistoryRecord,
  type OrderRecord,
  type OutcomeRecord,
  timeOfNextRecord,
} from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { currentStage } from '../environment.ts';
import type { Budgets } from '../games/budgets.ts';
import { daySecret } from '../games/day-secrets.ts';
import { freeSpinFeatures, requireNoHold } from '../games/holds.ts';
import { readPrizeTable } from '../games/organization-tables.ts';
import { type Outcome, outcomeOf, spin } from '../games/outcomes.ts';
import { gameOfVersion } from '../games/prize-tables.ts';
import { dayOfOrder } from '../games/promotion.ts';
import { settingsOf } from '../games/settings.ts';
import { grantWrites, readBudgets, type SpinReadKeys, spinReadKeys } from '../games/stored-budgets.ts';
import { debugStages } from '../stage.ts';
import type { Item } from '../table/client.ts';
import { dayOf, maxClockSkewMs, startOfDay } from '../time.ts';
import { dueItemKeyOf, type OpenOrder, remainingSpinsIn, remainingSpinsWrite } from './open-orders.ts';
import { maxSpinsWithStock, type OrderDrawData, spinOfOrder } from './order-spins.ts';

/** Maximum spins per transaction. DynamoDB allows 100 items per transaction; 30 spins write up to 72 items. */
const spinsPerTransaction = 30;

/** A worker's clock (epoch milliseconds), time limit and rate limit. `pace` waits after a batch, to keep the rate. */
export type SpinClock = {
  now: () => number;
  timeIsUp: () => boolean;
  pace?: (spins: number) => Promise<void>;
};
export type OrderProgress = { outcomes: Outcome[]; remaining: number };

/**
 * Returns the time of an order's spins: `now`, or the beginning of their due day if this machine's clock is behind,
 * because no spin counts before its due day.
 */
function timeOfSpins({ due_day }: OrderRecord, now: number): number {
  const dueAt = startOfDay(due_day);
  const isEarly = debugStages.includes(currentStage()) && dueAt - now > maxClockSkewMs;
  return isEarly ? now : Math.max(now, dueAt);
}

/** Runs an order's spins until none remain or time is up. Throws a refusal if free spins are on hold. */
export async function runOrderSpins(order: OrderRecord, clock: SpinClock): Promise<OrderProgress> {
  const outcomes: Outcome[] = [];
  for (;;) {
    // Each transaction checks the remaining spins, so no spin runs twice even if several workers run this order.
    const batch = await runBatch(order, timeOfSpins(order, clock.now()));
    outcomes.push(...batch.outcomes);
    await clock.pace?.(batch.outcomes.length);
    if (batch.remaining === 0 || clock.timeIsUp()) return { outcomes, remaining: batch.remaining };
  }
}

async function runBatch(order: OrderRecord, now: number): Promise<OrderProgress> {
  const { organization_id: organizationId, user_id: userId, prize_table_version: version } = order;
  const reads = spinReadKeys(organizationId, userId, now);
  const { reply } = await commit({
    organizationId,
    userId,
    reads: { ...reads, due: dueItemKeyOf(order) },
    prepare: (seen) => readSpinDrawData(reads, seen, now, version, dayOfOrder(order.order_id)),
    decide: ({ user, due }, draw) => decideBatch(user, { order, remaining: remainingSpinsIn(due) }, draw),
  });
  return reply;
}

export type SpinDrawData = OrderDrawData & {
  budgets: Budgets;
  organization?: Item | undefined;
  now: number;
};

/** `seen` has the items read with the keys `reads`. Without `orderDay`, the order is of the day of its spins. */
export async function readSpinDrawData(
  reads: SpinReadKeys,
  seen: ReadItems<SpinReadKeys>,
  now: number,
  version: string,
  orderDay?: string,
): Promise<SpinDrawData> {
  const { user, organization } = seen;
  const game = gameOfVersion(version);
  const { organization_id: organizationId } = user;
  const secretDay = dayOf(timeOfNextRecord(user, now));
  const [table, secret] = await Promise.all([
    readPrizeTable(organizationId, game, version),
    // Calls KMS if the secret is not cached.
    daySecret(organizationId, secretDay),
  ]);
  const periodDay = orderDay ?? secretDay;
  const budgets = await readBudgets(user, { game, prizes: table.prizes }, now, reads, seen, periodDay);
  return { table, secretDay, secret, budgets, organization, now };
}

/** Decides the next transaction of an order. Throws a refusal if free spins are on hold. */
export function decideBatch(
  user: User,
  open: OpenOrder,
  draw: SpinDrawData,
  { isNew = false } = {},
): Decision<OrderProgress> {
  const { order, remaining: before } = open;
  if (before === 0) return { reply: { outcomes: [], remaining: 0 } };
  const game = gameOfVersion(order.prize_table_version);
  requireNoHold(settingsOf(draw.organization), freeSpinFeatures(game));
  const maxSpins = draw.budgets.stock ? maxSpinsWithStock : spinsPerTransaction;
  const count = Math.min(before, maxSpins);
  if (!isNew && user.queued_spins < before) {
    throw new Error(`${order.order_id} has more remaining spins than its user`);
  }
  const spun = spinAll(user, open, count, draw);
  const remaining = before - count;
  const isStored = !isNew || remaining > 0;
  return {
    user: { ...spun.user, queued_spins: user.queued_spins - count },
    // The caller adds the record of a new order.
    records: spun.records,
    writes: {
      ...(isStored ? { due: remainingSpinsWrite(order, isNew ? 0 : before, remaining) } : {}),
      ...grantWrites(user, game, draw.organization, draw.budgets, spun.budgets),
    },
    reply: { outcomes: spun.outcomes.map(outcomeOf), remaining },
  };
}

type AllSpun = { user: User; records: HistoryRecord[]; outcomes: OutcomeRecord[]; budgets: Budgets };

function spinAll(user: User, { order, remaining }: OpenOrder, count: number, draw: SpinDrawData): AllSpun {
  const { budgets, organization, now } = draw;
  const { daily_win_limit: winLimit, ...tracking } = settingsOf(organization);
  const done = order.num_of_spins - remaining;
  const all: AllSpun = { user, records: [], outcomes: [], budgets };
  for (let spinIndex = done; spinIndex < done + count; spinIndex++) {
    const spun = spin(
      all.user,
      {
        ...spinOfOrder(order, spinIndex, draw),
        budgets: all.budgets,
        winLimit,
        tracking,
      },
      now,
    );
    all.user = spun.user;
    all.records.push(...spun.records);
    all.outcomes.push(spun.outcome);
    all.budgets = spun.budgets;
  }
  return all;
}
