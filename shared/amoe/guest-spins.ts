import { type Committed, commit } from '../accounts/commit.ts';
import type { Outcome } from '../games/outcomes.ts';
import { spinReads } from '../games/stored-budgets.ts';
import { Refusal, refusals } from '../refusals.ts';
import { refusalOfFault, within } from '../retry.ts';
import { dayOf } from '../time.ts';
import { type Clock, decideBatch, type Progress, readDrawing, runOrder } from './spin-batches.ts';
import {
  idempotencyOf,
  type OrderPlace,
  placeOf,
  placeOrder,
  readOrder,
  type SpinRequest,
} from './spin-orders.ts';

// A transaction is tried again for 10 s, and the last try may take as long once more; the gateway waits for 29 s.
const patienceMs = 10_000;
const answerWithinMs = 25_000;

/**
 * Runs a guest's spins at once and returns their outcomes in order. The order is stored with its first spins, so
 * whatever interrupts it, a repetition of the request or the next sweep runs the rest. Two round trips for each
 * 30 spins. Throws `accepted_repeat_to_collect` if the order is stored and its spins could not all be run in time:
 * they are the user's, and the same request collects them.
 */
export async function playGuestSpins(request: SpinRequest): Promise<Committed<Outcome[]>> {
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  const placed = await startOrder(request);
  const clock = { now: () => request.now + Math.floor(elapsed()), timeIsUp: () => elapsed() > patienceMs };
  const finished = finish(placed, clock).catch(acceptedUnlessUnexpected);
  const progress = await within(Math.max(0, answerWithinMs - elapsed()), finished);
  // Some may be cancelled, so that none remain.
  if (!progress || progress.outcomes.length < request.asked.num_of_spins)
    throw refusals.acceptedRepeatToCollect();
  return { reply: progress.outcomes, replayed: placed.replayed };
}

type Placed = { place: OrderPlace; replayed: boolean; progress: Progress | undefined };

/** Stores a guest's order with its first spins run, or finds the one that the same request stored before. */
async function startOrder(request: SpinRequest): Promise<Placed> {
  const { organizationId, userId, now } = request;
  const day = dayOf(now);
  const reads = spinReads(organizationId, userId, now);
  const { reply, replayed, decision } = await commit({
    organizationId,
    userId,
    idempotency: idempotencyOf(request, 'play'),
    reads,
    prepare: (seen) => readDrawing(reads, seen, now, { dueDay: day }),
    decide: ({ user }, drawing) => {
      const placed = placeOrder(user, request, {
        run: 'at_once',
        due_day: day,
        prize_table_version: drawing.table.version,
      });
      const order = { ...placed.order, outcomes: [] };
      const decided = decideBatch(placed.user, order, drawing, { isNew: true });
      const records = [placed.record, ...(decided.records ?? [])];
      return { ...decided, records, reply: placeOf(order), progress: decided.reply };
    },
  });
  return { place: reply, replayed, progress: decision?.progress };
}

async function finish({ place, progress }: Placed, clock: Clock): Promise<Progress> {
  const known = progress ?? (await progressOf(place));
  return known.remaining === 0 || clock.timeIsUp() ? known : runOrder(place, clock);
}

async function progressOf(place: OrderPlace): Promise<Progress> {
  const order = await readOrder(place);
  return { ran: 0, remaining: order?.remaining ?? 0, outcomes: order?.outcomes ?? [] };
}

/** The refusal of an order that is stored; what is no fault of a dependency passes as it is. */
function acceptedUnlessUnexpected(error: unknown): never {
  const refusal = error instanceof Refusal ? error : refusalOfFault(error);
  if (!refusal) throw error;
  throw refusals.acceptedRepeatToCollect(error);
}
