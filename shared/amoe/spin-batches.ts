/** How an order's spins come to run: in transactions of many, each of which also lowers what remains. */
import { commit, type Decision, type Seen } from '../accounts/commit.ts';
import type { HistoryRecord, OutcomeRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { cashLeft, grantCash } from '../games/cash.ts';
import { daySecret, seedOfSpin } from '../games/day-secrets.ts';
import { readPrizeTable } from '../games/organization-tables.ts';
import { type Outcome, outcomeOf, spin } from '../games/outcomes.ts';
import type { PrizeTable } from '../games/prize-tables.ts';
import { settingsOf, tableVersionOf } from '../games/settings.ts';
import type { Item, Part } from '../table/client.ts';
import { cashKey, type Key, organizationKey, spinOrderKey, withoutTimeKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import type { OrderPlace, SpinOrder } from './spin-orders.ts';

/**
 * Spins in one transaction. DynamoDB takes 100 items: a spin has an outcome and at most one prize transaction,
 * the user, the order, the idempotency key, the day's cash and its limit come once, and up to six milestones.
 */
export const spinsPerTransaction = 30;
/** What free spins draw from: the table of the wheel, as any player of the wheel does. */
const game = 'prizewheel';

/** What time it is, and whether there is none left. */
export type Clock = { now: () => number; timeIsUp: () => boolean };
/** How far an order has come: the spins that this call ran, those that remain, and a guest's outcomes. */
export type Progress = { ran: number; remaining: number; outcomes: Outcome[] };

/**
 * Runs what remains of an order, in transactions of up to 30 spins, until nothing does or the time is up. Two round
 * trips for each: the limit of the day's cash and the prize table are those of the moment. Whoever else runs the
 * same order at the same time, each of its spins runs once.
 */
export async function runOrder(place: OrderPlace, clock: Clock): Promise<Progress> {
  let ran = 0;
  for (;;) {
    const batch = await runBatch(place, clock.now());
    ran += batch.ran;
    if (batch.remaining === 0 || clock.timeIsUp()) return { ...batch, ran };
  }
}

async function runBatch({ organizationId, userId, ulid }: OrderPlace, now: number): Promise<Progress> {
  const { reply } = await commit({
    organizationId,
    userId,
    reads: { ...drawingReads(organizationId, now), order: spinOrderKey(organizationId, userId, ulid) },
    prepare: (seen) => readDrawing(organizationId, seen, now),
    decide: ({ user, order }, drawing) => decideBatch(user, order as SpinOrder | undefined, drawing),
  });
  return reply;
}

/** What the spins of a transaction draw from. */
export type Drawing = {
  table: PrizeTable;
  day: string;
  /** Of the day. */
  secret: Buffer;
  limitUsd: number;
  cashLeftUsd: number;
  now: number;
};
type DrawingReads = { organization: Key; cash: Key };

/** Where it stands what free spins draw from at a time. */
export const drawingReads = (organizationId: string, now: number): DrawingReads => ({
  organization: organizationKey(organizationId),
  cash: cashKey(organizationId, dayOf(now)),
});

/**
 * What free spins draw from at a time. One round trip for a prize table that this process has not met, and one call of
 * KMS for a day that it has not met, else none.
 */
export async function readDrawing(
  organizationId: string,
  { organization, cash }: Seen<DrawingReads>,
  now: number,
): Promise<Drawing> {
  const settings = settingsOf(organization);
  const limitUsd = settings.daily_cash_limit_usd;
  const day = dayOf(now);
  const [table, secret] = await Promise.all([
    readPrizeTable(organizationId, game, tableVersionOf(settings, game)),
    daySecret(organizationId, day),
  ]);
  return { table, day, secret, limitUsd, cashLeftUsd: cashLeft(limitUsd, cash), now };
}

/**
 * Decides the next spins of an order, which is new if `isNew`; nothing if none remain. Pure.
 */
export function decideBatch(
  user: User,
  order: SpinOrder | undefined,
  drawing: Drawing,
  { isNew = false } = {},
): Decision<Progress> {
  const before = order?.remaining ?? 0;
  if (!order || before === 0) return { reply: { ran: 0, remaining: 0, outcomes: order?.outcomes ?? [] } };
  const count = Math.min(before, spinsPerTransaction);
  const spun = spinAll(user, order, count, drawing);
  const outcomes = order.outcomes && [...order.outcomes, ...spun.outcomes.map(outcomeOf)];
  const after = { ...order, remaining: before - count, ...(outcomes && { outcomes }) };
  const { limitUsd, day } = drawing;
  return {
    user: { ...spun.user, queued_spins: user.queued_spins - count },
    records: spun.records,
    writes: {
      order: isNew ? { Put: { Item: stored(after) } } : replaceOrder(before, after),
      ...grantCash(order.organization_id, day, spun.cashUsd, limitUsd),
    },
    reply: { ran: count, remaining: after.remaining, outcomes: outcomes ?? [] },
  };
}

type AllSpun = { user: User; records: HistoryRecord[]; outcomes: OutcomeRecord[]; cashUsd: number };

function spinAll(user: User, order: SpinOrder, count: number, drawing: Drawing): AllSpun {
  const { table, cashLeftUsd, now } = drawing;
  const done = order.num_of_spins - order.remaining;
  const all: AllSpun = { user, records: [], outcomes: [], cashUsd: 0 };
  for (let spinIndex = done; spinIndex < done + count; spinIndex++) {
    const spun = spin(
      all.user,
      {
        game,
        table,
        playType: 'amoe',
        seeds: { serverSeed: seedOf(order, spinIndex, drawing), clientSeed: order.client_seed, spinIndex },
        secretDay: order.server_seed ? undefined : drawing.day,
        orderId: order.order_id,
        cashLeftUsd: cashLeftUsd - all.cashUsd,
        cost: 0,
        resultEffectiveDate: order.result_effective_date,
      },
      now,
    );
    all.user = spun.user;
    all.records.push(...spun.records);
    all.outcomes.push(spun.outcome);
    all.cashUsd += spun.cashUsd;
  }
  return all;
}

const seedOf = (order: SpinOrder, spinIndex: number, { secret }: Drawing): string =>
  order.server_seed ?? seedOfSpin(secret, order.order_id, spinIndex);

const stillToRun = 'remaining = :before';

function replaceOrder(before: number, after: SpinOrder): Part {
  return {
    Put: {
      Item: stored(after),
      ConditionExpression: stillToRun,
      ExpressionAttributeValues: { ':before': before },
    },
  };
}

/** Once nothing remains of it, an order leaves the index of what is due. */
function stored(order: SpinOrder): Item {
  if (order.remaining > 0) return order;
  return withoutTimeKey(order);
}
