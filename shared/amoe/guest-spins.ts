import { type Committed, commit } from '../accounts/commit.ts';
import type { Outcome } from '../games/outcomes.ts';
import type { PrizeTable } from '../games/prize-tables.ts';
import { refusals } from '../refusals.ts';
import { dayOf } from '../time.ts';
import { decideBatch, drawingKeys, drawingOf, type Progress, runOrder, withTable } from './spin-batches.ts';
import {
  idempotencyOf,
  newOrder,
  type OrderPlace,
  placeOf,
  readOrder,
  type SpinRequest,
} from './spin-orders.ts';

// Each transaction may meet trouble for 10 s, and the gateway waits for 29 s.
const patienceMs = 10_000;

/**
 * Runs a guest's spins at once and answers their outcomes in order. The order is stored with its first spins, so
 * whatever interrupts it, a repetition of the request or the next sweep runs the rest. Two round trips for each
 * 30 spins. Throws 503 where trouble draws them out for more than 10 s.
 */
export async function playGuestSpins(request: SpinRequest): Promise<Committed<Outcome[]>> {
  const started = performance.now();
  const { place, replayed, progress } = await withTable(request.organizationId, (table) =>
    placeOrder(request, table),
  );
  const { remaining, outcomes } = progress ?? (await progressOf(place));
  if (remaining === 0) return { reply: outcomes, replayed };
  const timeIsUp = () => performance.now() - started > patienceMs;
  const finished = await runOrder(place, { now: () => request.now, timeIsUp });
  if (finished.remaining > 0) throw refusals.unavailable();
  return { reply: finished.outcomes, replayed };
}

type Placed = { place: OrderPlace; replayed: boolean; progress: Progress | undefined };

/** Stores a guest's order with its first spins run, or finds the one that the same request stored before. */
async function placeOrder(request: SpinRequest, table: PrizeTable): Promise<Placed | { wanted: string }> {
  const { organizationId, userId, spins, now } = request;
  // What each attempt decided, by its order: only one of them can have been written.
  const decidedFor = new Map<string, Progress>();
  const { reply, replayed } = await commit<OrderPlace | { wanted: string }>({
    organizationId,
    userId,
    idempotency: idempotencyOf(request, 'play'),
    alsoRead: drawingKeys(organizationId, now),
    decide: ({ user, also }) => {
      const { drawing, wanted } = drawingOf(also, table, now);
      if (wanted !== table.version) return { reply: { wanted } };
      const order = { ...newOrder(request, dayOf(now)), outcomes: [] };
      const place = placeOf(order);
      const waiting = { ...user, queued_spins: user.queued_spins + spins };
      const decided = decideBatch(waiting, order, drawing, { isNew: true });
      decidedFor.set(place.ulid, decided.reply);
      return { ...decided, reply: place };
    },
  });
  if ('wanted' in reply) return reply;
  return { place: reply, replayed, progress: decidedFor.get(reply.ulid) };
}

async function progressOf(place: OrderPlace): Promise<Progress> {
  const order = await readOrder(place);
  return { ran: 0, remaining: order?.remaining ?? 0, outcomes: order?.outcomes ?? [] };
}
