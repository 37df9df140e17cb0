/**
 * Runs the free spins of orders in batches. Each transaction records up to 30 spins and subtracts them from
 * the order's number of remaining spins.
 */
import { commit, type Decision, type Seen } from '../accounts/commit.ts';
import type { HistoryRecord, OrderRecord, OutcomeRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import type { Budgets } from '../games/budgets.ts';
import { daySecret } from '../games/day-secrets.ts';
import { freeSpins, requireNoHold } from '../games/holds.ts';
import { readPrizeTable } from '../games/organization-tables.ts';
import { type Outcome, outcomeOf, type Spin, spin } from '../games/outcomes.ts';
import type { PrizeTable } from '../games/prize-tables.ts';
import { clientSeedOfSpins, seedOfOutcome } from '../games/seeds.ts';
import { settingsOf, tableVersionOf } from '../games/settings.ts';
import { grantParts, readBudgets, type SpinReads, spinReads } from '../games/stored-budgets.ts';
import type { Item } from '../table/client.ts';
import type { BeaconRound } from './beacon.ts';
import { dueKeyOf, type OpenOrder, remainingIn, remainingPart } from './open-orders.ts';
import { game } from './spin-orders.ts';

/**
 * Maximum number of spins per DynamoDB transaction, which can have at most 100 items. 30 spins write up to 60
 * items: an outcome each, and a transaction record for each prize. Twelve more are the user, order, due item,
 * idempotency key, check of the settings, day's cash and up to six milestones. If the prize table has a
 * limited stock, a win also writes the stock's 16 copies. The maximum is then `spinsWithStock`.
 */
export const spinsPerTransaction = 30;
const spinsWithStock = 25;

/**
 * Clock and rate limit of a worker. `now` returns epoch milliseconds. `timeIsUp` tells the worker to stop.
 * `pace` waits after a batch of spins, so that the worker does not exceed its rate limit.
 */
export type Clock = {
  now: () => number;
  timeIsUp: () => boolean;
  pace?: (spins: number) => Promise<void>;
};
/** Outcomes of the spins that a call ran, and the number of the order's spins that remain. */
export type Progress = { outcomes: Outcome[]; remaining: number };

/**
 * Runs an order's spins until no spins remain or the time is up. Takes two round trips per transaction of up
 * to 30 spins: one to read the current budgets, one to write. Each spin runs only once, even if several
 * workers run the same order. If the order uses a beacon, `randomness` is the beacon round for all its spins.
 * Throws a refusal if the spins are on hold.
 */
export async function runOrder(
  order: OrderRecord,
  clock: Clock,
  randomness?: BeaconRound,
): Promise<Progress> {
  const outcomes: Outcome[] = [];
  for (;;) {
    const batch = await runBatch(order, clock.now(), randomness);
    outcomes.push(...batch.outcomes);
    await clock.pace?.(batch.outcomes.length);
    if (batch.remaining === 0 || clock.timeIsUp()) return { outcomes, remaining: batch.remaining };
  }
}

async function runBatch(
  order: OrderRecord,
  now: number,
  randomness: BeaconRound | undefined,
): Promise<Progress> {
  const { organization_id: organizationId, user_id: userId, prize_table_version: version } = order;
  const reads = spinReads(organizationId, userId, now);
  const { reply } = await commit({
    organizationId,
    userId,
    reads: { ...reads, due: dueKeyOf(order) },
    prepare: (seen) => readDrawing(reads, seen, now, { dueDay: order.due_day, version, randomness }),
    decide: ({ user, due }, drawing) => decideBatch(user, { order, remaining: remainingIn(due) }, drawing),
  });
  return reply;
}

/** Inputs for the spins in one transaction: everything except the user and the order. */
export type Drawing = {
  table: PrizeTable;
  /**
   * Secret of the order's due day. The seeds use the due day even if the spins run later, so that a delay
   * does not change the draws.
   */
  secret: Buffer;
  /** Beacon round whose randomness is part of the client seed. Absent if the order uses no beacon. */
  randomness?: BeaconRound | undefined;
  budgets: Budgets;
  /** Item with the organization's settings, from the user's shard. */
  organization?: Item | undefined;
  now: number;
};

/** Values that the draws of an order use: the order's due day, prize table version and beacon round. */
type Promised = {
  dueDay: string;
  /** Version of the prize table. Defaults to the prize wheel's current table. */
  version?: string | undefined;
  randomness?: BeaconRound | undefined;
};

/**
 * Returns the inputs for an order's spins. `seen` contains the items read with the keys `reads`. Reads up to
 * three more items: a prize table that is not cached, the prize table's stock, and the user's cash budget if
 * `reads` has a wrong key for it. Calls KMS if this process has not cached the due day's secret.
 */
export async function readDrawing(
  reads: SpinReads,
  seen: Seen<SpinReads>,
  now: number,
  { dueDay, version, randomness }: Promised,
): Promise<Drawing> {
  const { user, organization } = seen;
  const settings = settingsOf(organization);
  const { organization_id: organizationId } = user;
  const [table, secret] = await Promise.all([
    readPrizeTable(organizationId, game, version ?? tableVersionOf(settings, game)),
    daySecret(organizationId, dueDay),
  ]);
  const budgets = await readBudgets(user, { game, prizes: table.prizes }, now, reads, seen);
  return { table, secret, randomness, budgets, organization, now };
}

/**
 * Decides the next batch of an order's spins. Decides no changes if no spins remain. For a new order
 * (`isNew`), the caller adds the order's record to the same transaction. Pure. Throws a refusal if the
 * organization's free spins are on hold.
 */
export function decideBatch(
  user: User,
  open: OpenOrder,
  drawing: Drawing,
  { isNew = false } = {},
): Decision<Progress> {
  const { order, remaining: before } = open;
  if (before === 0) return { reply: { outcomes: [], remaining: 0 } };
  requireNoHold(settingsOf(drawing.organization), freeSpins);
  const most = drawing.budgets.stock ? spinsWithStock : spinsPerTransaction;
  const count = Math.min(before, most);
  const spun = spinAll(user, open, count, drawing);
  const remaining = before - count;
  const isStored = !isNew || remaining > 0;
  return {
    user: { ...spun.user, queued_spins: user.queued_spins - count },
    records: spun.records,
    writes: {
      ...(isStored ? { due: remainingPart(order, isNew ? 0 : before, remaining) } : {}),
      ...grantParts(user, game, drawing.organization, drawing.budgets, spun.budgets),
    },
    reply: { outcomes: spun.outcomes.map(outcomeOf), remaining },
  };
}

type AllSpun = { user: User; records: HistoryRecord[]; outcomes: OutcomeRecord[]; budgets: Budgets };

function spinAll(user: User, { order, remaining }: OpenOrder, count: number, drawing: Drawing): AllSpun {
  const { table, budgets, organization, now } = drawing;
  const { daily_win_limit: winLimit } = settingsOf(organization);
  const done = order.num_of_spins - remaining;
  const all: AllSpun = { user, records: [], outcomes: [], budgets };
  for (let spinIndex = done; spinIndex < done + count; spinIndex++) {
    const spun = spin(
      all.user,
      {
        game,
        table,
        playType: 'amoe',
        ...seedsOf(order, spinIndex, drawing),
        budgets: all.budgets,
        winLimit,
        cost: 0,
        resultEffectiveDate: order.result_effective_date,
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

/**
 * Returns one spin's seeds and, as `origin`, fields to store in the spin's outcome. From these fields,
 * anybody who has the day's secret can derive the seeds again.
 */
function seedsOf(
  order: OrderRecord,
  spinIndex: number,
  { secret, randomness }: Drawing,
): Pick<Spin, 'seeds' | 'origin'> {
  const { user_id, order_id, sequence: order_sequence, due_day } = order;
  const origin = { user_id, order_id, order_sequence, spin_index: spinIndex };
  const mixedIn = randomness && 'randomness' in randomness ? randomness.randomness : undefined;
  return {
    seeds: {
      serverSeed: seedOfOutcome(secret, origin),
      clientSeed: clientSeedOfSpins(order.last_hash, mixedIn),
      spinIndex,
    },
    origin: {
      secret_day: due_day,
      order_id,
      order_sequence,
      ...(mixedIn ? { beacon_round: randomness?.round } : randomness && { beacon_out: true }),
    },
  };
}
