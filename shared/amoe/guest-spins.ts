import { type Committed, commit } from '../accounts/commit.ts';
import type { OrderRecord, OutcomeRecord } from '../accounts/records.ts';
import { type Outcome, outcomeOf } from '../games/outcomes.ts';
import { spinReads } from '../games/stored-budgets.ts';
import { idOf, ulidOf } from '../ids.ts';
import { Refusal, refusals } from '../refusals.ts';
import { refusalOfFault, within } from '../retry.ts';
import { get } from '../table/client.ts';
import { between, recordKey, recordsOfUser } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { type Clock, decideBatch, readDrawing, runOrder } from './spin-batches.ts';
import { dayOfOrder, idempotencyOf, placeOrder, type SpinRequest } from './spin-orders.ts';

// A transaction is tried again for 10 s, and the last try may take as long once more; the gateway waits for
// 29 s.
const patienceMs = 10_000;
const answerWithinMs = 25_000;

/**
 * Runs a guest's spins at once and returns their outcomes in order. Two round trips for each 30 spins. The
 * order is stored with its first spins: after an interruption, a repetition of the request or the next sweep
 * runs the rest. Throws `accepted_repeat_to_collect` if the order is stored, but not all of its spins ran in
 * time.
 */
export async function playGuestSpins(request: SpinRequest): Promise<Committed<Outcome[]>> {
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  const placed = await startOrder(request);
  const clock = { now: () => request.now + Math.floor(elapsed()), timeIsUp: () => elapsed() > patienceMs };
  const collecting = collect(request, placed, clock).catch(acceptedUnlessUnexpected);
  const outcomes = await within(Math.max(0, answerWithinMs - elapsed()), collecting);
  // An operator may have cancelled some of the spins.
  if (!outcomes || outcomes.length < request.asked.num_of_spins) throw refusals.acceptedRepeatToCollect();
  return { reply: outcomes, replayed: placed.replayed };
}

/** A stored order: the ULID of its record, and the record and first outcomes if this request stored it. */
type Placed = {
  ulid: string;
  replayed: boolean;
  order?: OrderRecord | undefined;
  outcomes?: Outcome[] | undefined;
};

/** Stores a guest's order with its first spins, or finds the order that the same request stored before. */
async function startOrder(request: SpinRequest): Promise<Placed> {
  const { organizationId, userId, now } = request;
  const reads = spinReads(organizationId, userId, now);
  const { reply, replayed, decision } = await commit({
    organizationId,
    userId,
    idempotency: idempotencyOf(request, 'play'),
    reads,
    prepare: (seen) => readDrawing(reads, seen, now, { dueDay: dayOfOrder(seen.user, now) }),
    decide: ({ user }, drawing) => {
      const { user: ordering, order } = placeOrder(user, request, {
        run: 'at_once',
        due_day: dayOfOrder(user, now),
        prize_table_version: drawing.table.version,
      });
      const open = { order, remaining: order.num_of_spins };
      const decided = decideBatch(ordering, open, drawing, { isNew: true });
      const records = [order, ...(decided.records ?? [])];
      const { outcomes } = decided.reply;
      return { ...decided, records, reply: ulidOf(order.order_id), order, outcomes };
    },
  });
  return { ulid: reply, replayed, order: decision?.order, outcomes: decision?.outcomes };
}

/**
 * Runs the remaining spins of a guest's order, unless the time is up. Returns the outcomes of all that have
 * run.
 */
async function collect(request: SpinRequest, placed: Placed, clock: Clock): Promise<Outcome[]> {
  const isAll = ({ length }: Outcome[]) => length === request.asked.num_of_spins;
  const before = placed.outcomes ?? (await outcomesOf(request, placed.ulid));
  if (isAll(before) || clock.timeIsUp()) return before;
  const { organizationId, userId } = request;
  const key = recordKey(organizationId, userId, 'orders', placed.ulid);
  const order = placed.order ?? (await get<OrderRecord>(key))!;
  const { outcomes } = await runOrder(order, clock);
  const all = [...before, ...outcomes];
  // A sweep, or a repetition of the request, may have run some of the spins meanwhile.
  return isAll(all) ? all : outcomesOf(request, placed.ulid);
}

/**
 * Returns the outcomes of an order in the order of its spins, even if outcomes of other orders lie between.
 */
async function outcomesOf({ organizationId, userId, asked }: SpinRequest, ulid: string): Promise<Outcome[]> {
  const orderId = idOf('ord', ulid);
  const since = between(recordsOfUser(organizationId, userId, 'outcomes'), ulid);
  const found: Outcome[] = [];
  for await (const records of batches(since, { consistent: true, limit: asked.num_of_spins })) {
    const mine = (records as OutcomeRecord[]).filter(({ order_id }) => order_id === orderId);
    found.push(...mine.map(outcomeOf));
    if (found.length >= asked.num_of_spins) break;
  }
  return found;
}

/**
 * Throws `accepted_repeat_to_collect` for a refusal or a fault of a dependency. Throws any other error as it
 * is.
 */
function acceptedUnlessUnexpected(error: unknown): never {
  const refusal = error instanceof Refusal ? error : refusalOfFault(error);
  if (!refusal) throw error;
  throw refusals.acceptedRepeatToCollect(error);
}
