/** Runs the spins of orders, in transactions of up to 30 that also lower the number of remaining spins. */
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
 * Spins in one transaction, which takes 100 items. A spin has an outcome and at most one prize transaction.
 * The user, the order, its due item, the idempotency key and the check of the settings come once. Up to six
 * milestones, the state of the day's cash, and that of a stock in each of the 16 shards are added.
 */
export const spinsPerTransaction = 30;
const spinsWithStock = 25;

/** The time, whether the time is up, and a pause after each batch of so many spins that limits their rate. */
export type Clock = {
  now: () => number;
  timeIsUp: () => boolean;
  pace?: (spins: number) => Promise<void>;
};
/** The outcomes of the spins that a call ran, and how many spins of the order remain. */
export type Progress = { outcomes: Outcome[]; remaining: number };

/**
 * Runs the remaining spins of an order until none remain or the time is up. Two round trips for each
 * transaction of up to 30 spins, since each reads the day's cash anew. Each spin runs once, even if others
 * run the same order at the same time. All spins mix in the same round of the beacon, if any. Throws the
 * refusal of a hold.
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

/** What the spins of a transaction draw from. */
export type Drawing = {
  table: PrizeTable;
  /** The secret of the day on which the spins are due, so that a delay changes no draw. */
  secret: Buffer;
  /** The round of the beacon; absent if none is mixed in. */
  randomness?: BeaconRound | undefined;
  budgets: Budgets;
  /** The organization's item, as far as spins read it. */
  organization?: Item | undefined;
  now: number;
};

/** What an order promises of its spins. */
type Promised = {
  dueDay: string;
  /** The version of their prize table; the present one if absent. */
  version?: string | undefined;
  randomness?: BeaconRound | undefined;
};

/**
 * Returns what free spins draw from, of the items that were read under the keys of `reads`. One round trip
 * each for a prize table that this process has not met, for the stock of a table, and for chains of cash that
 * this process did not know of. One call of KMS for a day that it has not met.
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
 * Decides the next spins of an order; decides nothing if none remain. The caller stores the record of an
 * order that `isNew` in the same transaction. Pure. Throws the refusal of a hold.
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

/** Returns the seeds of a spin, and the fields of its outcome from which the server seed follows. */
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
