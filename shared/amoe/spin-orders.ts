/** Places orders of free spins: checks the host's request and makes the order's record. */
import { type Committed, commit, type Idempotency } from '../accounts/commit.ts';
import { append, type OrderRecord, timeOfNext } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { freeSpins, requireNoHold } from '../games/holds.ts';
import { settingsOf, tableVersionOf } from '../games/settings.ts';
import { shardOf } from '../shards.ts';
import { settingsKey } from '../table/keys.ts';
import { addDays, dayOf, isoOf, startOfDay, startOfToday } from '../time.ts';
import { remainingPart } from './open-orders.ts';

/** The game of all free spins: the prize wheel. */
export const game = 'prizewheel';

/** A host's request for free spins. */
export type SpinRequest = {
  organizationId: string;
  userId: string;
  /** Fields of the request. A repeated request with the same idempotency key must have the same fields. */
  asked: {
    num_of_spins: number;
    /** Effective date of the outcomes, in epoch milliseconds. Defaults to the start of today in New York. */
    result_effective_date?: number | undefined;
    idempotency_key: string;
  };
  now: number;
};

/**
 * Queues free spins to run after the next midnight in New York. Returns the user's number of queued spins.
 */
export function queueSpins(request: SpinRequest): Promise<Committed<{ total_queued_spins: number }>> {
  const { organizationId, userId, now } = request;
  return commit({
    organizationId,
    userId,
    idempotency: idempotencyOf(request, 'queue'),
    reads: { organization: settingsKey(organizationId, shardOf(userId)) },
    decide: ({ user, organization }) => {
      const settings = settingsOf(organization);
      requireNoHold(settings, freeSpins);
      const { beacon } = settings;
      const { user: after, order } = placeOrder(user, request, {
        run: 'queued',
        due_day: addDays(dayOfOrder(user, now), 1),
        prize_table_version: tableVersionOf(settings, game),
        ...(beacon ? { beacon } : {}),
      });
      return {
        user: after,
        records: [order],
        writes: { due: remainingPart(order, 0, order.num_of_spins) },
        reply: { total_queued_spins: after.queued_spins },
      };
    },
  });
}

/** Returns the New York day of an order, which is never before the user's last record. */
export const dayOfOrder = (user: User, now: number): string => dayOf(timeOfNext(user, now));

/** Fields of an order that the caller of `placeOrder` decides. */
type Promised = Pick<OrderRecord, 'run' | 'due_day' | 'prize_table_version' | 'beacon'>;

/** Adds an order and its spins to a user. The caller writes the returned user and record. */
export function placeOrder(user: User, { asked, now }: SpinRequest, promised: Promised) {
  const { num_of_spins, result_effective_date: effectiveAt, idempotency_key } = asked;
  const promise = {
    kind: 'orders' as const,
    num_of_spins,
    ...promised,
    result_effective_date: effectiveAt === undefined ? startOfToday(now) : isoOf(effectiveAt),
    idempotency_key,
  };
  const { user: after, record: order } = append(user, promise, now);
  return { user: { ...after, queued_spins: user.queued_spins + num_of_spins }, order };
}

/**
 * Returns the idempotency key and parameters of a spin request. `operation` prevents the reuse of a queued
 * request's key for guest spins.
 */
export function idempotencyOf({ asked, now }: SpinRequest, operation: 'queue' | 'play'): Idempotency {
  const { idempotency_key: key, num_of_spins: spins, result_effective_date } = asked;
  const parameters = (firstUse: number) => ({
    operation,
    spins,
    date: result_effective_date ?? startOfDay(dayOf(firstUse)),
  });
  return { resource: 'spins', key, now, parameters };
}
