import { type Committed, commit, type Idempotency } from '../accounts/commit.ts';
import { freeSpinsOf, requireNoHold } from '../games/holds.ts';
import { settingsOf } from '../games/settings.ts';
import { shardOf } from '../shards.ts';
import { settingsKey } from '../table/keys.ts';
import { dayOf, startOfDay } from '../time.ts';
import { remainingPart } from './open-orders.ts';
import { gameAsked, placeOrder, promiseOf, type SpinRequest } from './place-order.ts';

/** Queues free spins for the next midnight in New York, once per idempotency key. */
export function queueSpins(request: SpinRequest): Promise<Committed<{ total_queued_spins: number }>> {
  const { organizationId, userId, suspended } = request;
  return commit({
    organizationId,
    userId,
    suspended,
    idempotency: idempotencyOf(request, 'queue'),
    reads: { organization: settingsKey(organizationId, shardOf(userId)) },
    decide: ({ user, organization }) => {
      const settings = settingsOf(organization);
      requireNoHold(settings, freeSpinsOf(gameAsked(request)));
      const promised = promiseOf(user, 'queued', settings, request);
      const { user: after, order } = placeOrder(user, request, promised);
      return {
        user: after,
        records: [order],
        writes: { due: remainingPart(order, 0, order.num_of_spins) },
        reply: { total_queued_spins: after.queued_spins },
      };
    },
  });
}

export function idempotencyOf(request: SpinRequest, operation: 'queue' | 'play'): Idempotency {
  const { idempotency_key: key, num_of_spins: spins, result_effective_date } = request.asked;
  const parameters = (firstUse: number) => ({
    // Compares the operation too, so that an idempotency key used for queued spins is refused for guest spins.
    operation,
    game: gameAsked(request),
    spins,
    date: result_effective_date ?? startOfDay(dayOf(firstUse)),
  });
  return { resource: 'spins', key, now: request.now, parameters };
}
