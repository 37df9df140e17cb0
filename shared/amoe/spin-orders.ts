/** Orders of free spins: what a host asks for, and what the order's record promises. */
import { type Committed, commit, type Idempotency } from '../accounts/commit.ts';
import { append, type OrderRecord, timeOfNext } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { freeSpins, requireNoHold } from '../games/holds.ts';
import { settingsOf, tableVersionOf } from '../games/settings.ts';
import { shardOf } from '../shards.ts';
import { settingsKey } from '../table/keys.ts';
import { addDays, dayOf, isoOf, startOfDay, startOfToday } from '../time.ts';
import { remainingPart } from './open-orders.ts';

/** Free spins draw from the prize table of the wheel, as any player of the wheel does. */
export const game = 'prizewheel';

/** A host's request for free spins. */
export type SpinRequest = {
  organizationId: string;
  userId: string;
  /** What the host asks for. A repetition of the idempotency key must ask for the same. */
  asked: {
    num_of_spins: number;
    /** Epoch milliseconds to which results are attributed; the start of today in New York if absent. */
    result_effective_date?: number | undefined;
    idempotency_key: string;
  };
  now: number;
};

/**
 * Queues spins for the next midnight in New York; returns how many the user then has to run. Two round trips.
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

/**
 * Returns the day of the record of an order that a user makes now. It can be later than today: if another
 * request of the user was recorded after midnight, this one must not be due at the midnight that has passed.
 */
export const dayOfOrder = (user: User, now: number): string => dayOf(timeOfNext(user, now));

/** When an order's spins run, what they draw from, and the beacon that they mix in. */
type Promised = Pick<OrderRecord, 'run' | 'due_day' | 'prize_table_version' | 'beacon'>;

/** Orders all of a request's spins. Returns the user after it, and the order's record. */
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
 * Returns the use of a request's key. Queued and guest spins share one space of keys, but not their requests.
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
