/** How an order's spins come to run: in transactions of many, each of which also lowers what remains. */
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
 * Spins in one transaction. DynamoDB takes 100 items: a spin has an outcome and at most one prize transaction; the user,
 * the order and its due item, the idempotency key and the check of the settings come once; besides there are up to six
 * milestones, the state of the day's cash, and that of a stock in each of the 16 shards.
 */
export const spinsPerTransaction = 30;
const spinsWithStock = 25;

/** What time it is, whether there is none left, and what waits after each batch of spins, if they may run too fast. */
export type Clock = {
  now: () => number;
  timeIsUp: () => boolean;
  pace?: (spins: number) => Promise<void>;
};
/** The outcomes of the spins that a call ran, and how many spins of their order are still to run. */
export type Progress = { outcomes: Outcome[]; remaining: number };

/**
 * Runs what remains of an order, in transactions of up to 30 spins, until nothing does or the time is up. Two round trips
 * for each: the limit of the day's cash is that of the moment. Whoever else runs the same order at the same time, each of
 * its spins runs once. All of them mix in the same randomness of the beacon, if any. Throws the refusal of what is on hold.
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
  /** Of the day on which the spins are due, whenever they run: to delay them changes nothing. */
  secret: Buffer;
  /** What the beacon came to; absent where none is mixed in. */
  randomness?: BeaconRound | undefined;
  budgets: Budgets;
  /** The organization's item, as far as spins read it. */
  organization?: Item | undefined;
  now: number;
};

/** What was promised of spins. */
type Promised = {
  dueDay: string;
  /** Of their table; that of the moment if absent. */
  version?: string | undefined;
  randomness?: BeaconRound | undefined;
};

/**
 * What free spins draw from at a time, of what was read under the keys of `reads`. One round trip for a prize table that
 * this process has not met, one for the stock of a table that has some, one if it did not know of the organization's
 * chains of cash, and one call of KMS for a day that it has not met, else none.
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
 * Decides the next spins of an order, whose record is stored with them if it `isNew`; nothing if none remain. Pure. Throws
 * the refusal of what is on hold.
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

/** The seeds of a spin of an order, and the fields of its outcome that say where they come from. */
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
