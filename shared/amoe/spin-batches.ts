/** How an order's spins come to run: in transactions of many, each of which also lowers what remains. */

import { commit, type Decision, next, type Seen } from '../accounts/commit.ts';
import type { HistoryRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { cashLeft, grantCash } from '../games/cash.ts';
import { readPrizeTable } from '../games/organization-tables.ts';
import { type Outcome, type OutcomeRecord, outcomeOf, spin } from '../games/outcomes.ts';
import { defaultPrizeTables, type PrizeTable } from '../games/prize-tables.ts';
import { settingsOf, tableVersionOf } from '../games/settings.ts';
import type { Item, Part } from '../table/client.ts';
import { cashKey, organizationKey, spinOrderKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import type { OrderPlace, SpinOrder } from './spin-orders.ts';

/**
 * Spins in one transaction. DynamoDB takes 100 items: a spin has an outcome and at most one prize transaction,
 * and the user, the order and the day's cash come once.
 */
export const spinsPerTransaction = 30;
/** What free spins draw from: the table of the wheel, as any player of the wheel does. */
const game = 'prizewheel';

/** What time it is, and whether there is none left. */
export type Clock = { now: () => number; timeIsUp: () => boolean };
/** How far an order has come: the spins that this call ran, those that remain, and a guest's outcomes. */
export type Progress = { ran: number; remaining: number; outcomes: Outcome[] };

/**
 * Runs what remains of an order, in transactions of up to 30 spins, until nothing does or the time is up. The first
 * takes two round trips, and each after it one, since it goes on from what the one before has written. Whoever else
 * runs the same order at the same time, each of its spins runs once.
 */
export async function runOrder(place: OrderPlace, clock: Clock): Promise<Progress> {
  let ran = 0;
  let known: Known | undefined;
  for (;;) {
    const batch = await withTable(place.organizationId, (table) =>
      runBatch(place, { table, known, now: clock.now() }),
    );
    ran += batch.ran;
    known = batch.known;
    if (batch.remaining === 0 || clock.timeIsUp())
      return { ran, remaining: batch.remaining, outcomes: batch.outcomes };
  }
}

/** What a batch answers that was decided for another table than the organization has now. */
type Wanted = { wanted: string };

/**
 * Runs something with the table that free spins draw from. That is the project's own unless what is run answers
 * that another is wanted: most organizations then never pay for the question.
 */
export async function withTable<T extends object>(
  organizationId: string,
  run: (table: PrizeTable) => Promise<T | Wanted>,
): Promise<T> {
  let table: PrizeTable = defaultPrizeTables[game];
  for (;;) {
    const result = await run(table);
    if (!('wanted' in result)) return result;
    table = await readPrizeTable(organizationId, game, result.wanted);
  }
}

/** What a batch knows of how things stand after it, for the next one of the same day. */
type Known = { day: string; seen: Seen };
type Batch = Progress & { known: Known | undefined };

async function runBatch(
  place: OrderPlace,
  { table, known, now }: { table: PrizeTable; known: Known | undefined; now: number },
): Promise<Batch | Wanted> {
  const { organizationId, userId, ulid } = place;
  const day = dayOf(now);
  let after: Known | undefined;
  const { reply } = await commit<Progress | Wanted>({
    organizationId,
    userId,
    alsoRead: [...drawingKeys(organizationId, now), spinOrderKey(organizationId, userId, ulid)],
    known: known?.day === day ? known.seen : undefined,
    decide: (seen) => {
      const { drawing, wanted } = drawingOf(seen.also, table, now);
      if (wanted !== table.version) return { reply: { wanted } };
      const decision = decideBatch(seen.user, seen.also[2] as SpinOrder | undefined, drawing);
      after = decision.user && { day, seen: seenAfter(seen, { ...decision, user: decision.user }) };
      return decision;
    },
  });
  return 'wanted' in reply ? reply : { ...reply, known: after };
}

function seenAfter(
  { user, also: [organization, cash] }: Seen,
  decision: BatchDecision & { user: User },
): Seen {
  const granted_usd = Number(cash?.granted_usd ?? 0) + decision.cashUsd;
  return { user: next(user, decision.user), also: [organization, { granted_usd }, decision.order] };
}

/** What the spins of a transaction draw from. */
export type Drawing = {
  table: PrizeTable;
  day: string;
  limitUsd: number;
  cashLeftUsd: number;
  now: number;
};

/** Where what free spins draw from is read. */
export const drawingKeys = (organizationId: string, now: number) => [
  organizationKey(organizationId),
  cashKey(organizationId, dayOf(now)),
];

/** What free spins draw from at a time, of the organization and the day's cash as they were read. */
export function drawingOf([organization, cash]: (Item | undefined)[], table: PrizeTable, now: number) {
  const settings = settingsOf(organization);
  const limitUsd = settings.daily_cash_limit_usd;
  const drawing: Drawing = { table, day: dayOf(now), limitUsd, cashLeftUsd: cashLeft(limitUsd, cash), now };
  return { drawing, wanted: tableVersionOf(settings, game) };
}

/** A batch as it was decided, with the order after it and the cash that it won. */
type BatchDecision = Decision<Progress> & { order: SpinOrder | undefined; cashUsd: number };

/**
 * Decides the next spins of an order, which is new where `isNew`; nothing where none remain. Pure, but for the
 * random part of ids.
 */
export function decideBatch(
  user: User,
  order: SpinOrder | undefined,
  drawing: Drawing,
  { isNew = false } = {},
): BatchDecision {
  const before = order?.remaining ?? 0;
  if (!order || before === 0) {
    return { reply: { ran: 0, remaining: 0, outcomes: order?.outcomes ?? [] }, order, cashUsd: 0 };
  }
  const count = Math.min(before, spinsPerTransaction);
  const spun = spinAll(user, order, count, drawing);
  const outcomes = order.outcomes && [...order.outcomes, ...spun.outcomes.map(outcomeOf)];
  const after = { ...order, remaining: before - count, ...(outcomes && { outcomes }) };
  const { limitUsd, day } = drawing;
  return {
    user: { ...spun.user, queued_spins: user.queued_spins - count },
    records: spun.records,
    also: {
      order: isNew ? { Put: { Item: stored(after) } } : replaceOrder(before, after),
      ...(spun.cashUsd > 0 && { cash: grantCash(order.organization_id, day, spun.cashUsd, limitUsd) }),
    },
    reply: { ran: count, remaining: after.remaining, outcomes: outcomes ?? [] },
    order: after,
    cashUsd: spun.cashUsd,
  };
}

type AllSpun = { user: User; records: HistoryRecord[]; outcomes: OutcomeRecord[]; cashUsd: number };

function spinAll(user: User, order: SpinOrder, count: number, { table, cashLeftUsd, now }: Drawing): AllSpun {
  const done = order.num_of_spins - order.remaining;
  const all: AllSpun = { user, records: [], outcomes: [], cashUsd: 0 };
  for (let spinIndex = done; spinIndex < done + count; spinIndex++) {
    const spun = spin(
      all.user,
      {
        game,
        table,
        playType: 'amoe',
        seeds: { serverSeed: order.server_seed, clientSeed: order.client_seed, spinIndex },
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
  const { byTimePk, byTimeSk, ...done } = order;
  return done;
}
