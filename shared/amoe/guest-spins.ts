import { type Committed, commit } from '../accounts/commit.ts';
import type { OrderRecord, OutcomeRecord } from '../accounts/records.ts';
import { type Outcome, outcomeOf } from '../games/outcomes.ts';
import { settingsOf, tableVersionOf } from '../games/settings.ts';
import { spinReadKeys } from '../games/stored-budgets.ts';
import { idOf, ulidOf } from '../ids.ts';
import { Refusal, refusals } from '../refusals.ts';
import { refusalOfFault, resultWithin, stopwatch } from '../retry.ts';
import { getItem } from '../table/client.ts';
import { between, recordKey, recordsOfUser } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { orderTermsOf, placeOrder, requestedGame, type SpinRequest } from './place-order.ts';
import { decideBatch, readSpinDrawData, runOrderSpins, type SpinClock } from './spin-batches.ts';
import { spinIdempotencyOf } from './spin-orders.ts';

/** Milliseconds from the request's start after which no batch of spins starts. */
const patienceMs = 10_000;
/** Maximum milliseconds until the response, because API Gateway waits at most 29 s. */
const answerWithinMs = 25_000;

/** Runs a guest's spins. Throws `accepted_repeat_to_collect` if time runs out: a repeated request runs the rest. */
export async function playGuestSpins(request: SpinRequest): Promise<Committed<Outcome[]>> {
  const elapsed = stopwatch();
  const stored = await startOrder(request);
  const clock = { now: () => request.now + Math.floor(elapsed()), timeIsUp: () => elapsed() > patienceMs };
  const collecting = collect(request, stored, clock).catch(acceptedUnlessUnexpected);
  const outcomes = await resultWithin(Math.max(0, answerWithinMs - elapsed()), collecting);
  // Outcomes are missing if the time was up.
  if (!outcomes || outcomes.length < request.asked.num_of_spins) throw refusals.acceptedRepeatToCollect();
  return { reply: outcomes, replayed: stored.replayed };
}

/** `order` and `outcomes` are absent if an earlier request stored the order. */
type StoredOrder = {
  ulid: string;
  replayed: boolean;
  order?: OrderRecord | undefined;
  outcomes?: Outcome[] | undefined;
};

/** Stores a guest's order and its first spins, or returns the order that an earlier request stored. */
async function startOrder(request: SpinRequest): Promise<StoredOrder> {
  const { organizationId, userId, suspended, now } = request;
  const reads = spinReadKeys(organizationId, userId, now);
  const { reply, replayed, decision } = await commit({
    organizationId,
    userId,
    suspended,
    idempotency: spinIdempotencyOf(request, 'play'),
    reads,
    prepare: (seen) =>
      readSpinDrawData(
        reads,
        seen,
        now,
        tableVersionOf(settingsOf(seen.organization), requestedGame(request)),
      ),
    decide: ({ user, organization }, draw) => {
      const promised = orderTermsOf(user, 'at_once', settingsOf(organization), request);
      const { user: ordering, order } = placeOrder(user, request, promised);
      const open = { order, remaining: order.num_of_spins };
      const decided = decideBatch(ordering, open, draw, { isNew: true });
      const records = [order, ...(decided.records ?? [])];
      const { outcomes } = decided.reply;
      return { ...decided, records, reply: ulidOf(order.order_id), order, outcomes };
    },
  });
  return { ulid: reply, replayed, order: decision?.order, outcomes: decision?.outcomes };
}

/** Runs an order's remaining spins until the time is up. Returns all outcomes of the order so far. */
async function collect(request: SpinRequest, stored: StoredOrder, clock: SpinClock): Promise<Outcome[]> {
  const isAll = ({ length }: Outcome[]) => length === request.asked.num_of_spins;
  const before = stored.outcomes ?? (await outcomesOf(request, stored.ulid));
  if (isAll(before) || clock.timeIsUp()) return before;
  const { organizationId, userId } = request;
  const key = recordKey(organizationId, userId, 'orders', stored.ulid);
  const order = stored.order ?? (await getItem<OrderRecord>(key))!;
  const { outcomes } = await runOrderSpins(order, clock);
  const all = [...before, ...outcomes];
  // If outcomes are missing, a spin run or a repeated request may have run their spins: reads all outcomes.
  return isAll(all) ? all : outcomesOf(request, stored.ulid);
}

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

/** Throws `accepted_repeat_to_collect` if the error is a refusal or a failure of AWS. Rethrows any other error. */
function acceptedUnlessUnexpected(error: unknown): never {
  const refusal = error instanceof Refusal ? error : refusalOfFault(error);
  if (!refusal) throw error;
  throw refusals.acceptedRepeatToCollect(error);
}
