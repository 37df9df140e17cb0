import { type Committed, commit, type Idempotency } from '../accounts/commit.ts';
import { freeSpinFeatures, requireNoHold } from '../games/holds.ts';
import { settingsOf } from '../games/settings.ts';
import { shardOf } from '../shards.ts';
import { settingsKey } from '../table/keys.ts';
import { dayOf, startOfDay } from '../time.ts';
import { remainingSpinsWrite } from './open-orders.ts';
import { orderTermsOf, placeOrder, requestedGame, type SpinRequest } from './place-order.ts';

/** Queues free spins for the next midnight in New York, once per idempotency key. */
export function queueSpins(request: SpinRequest): Promise<Committed<{ total_queued_spins: number }>> {
  const { organizationId, userId, suspended } = request;
  return commit({
    organizationId,
    userId,
    suspended,
    idempotency: spinIdempotencyOf(request, 'queue'),
    reads: { organization: settingsKey(organizationId, shardOf(userId)) },
    decide: ({ user, organization }) => {
      const settings = settingsOf(organization);
      requireNoHold(settings, freeSpinFeatures(requestedGame(request)));
      const promised = orderTermsOf(user, 'queued', settings, request);
      const { user: after, order } = placeOrder(user, request, promised);
      return {
        user: after,
        records: [order],
        writes: { due: remainingSpinsWrite(order, 0, order.num_of_spins) },
        reply: { total_queued_spins: after.queued_spins },
      };
    },
  });
}

export function spinIdempotencyOf(request: SpinRequest, operation: 'queue' | 'play'): Idempotency {
  const { idempotency_key: key, num_of_spins: spins, result_effective_date } = request.asked;
  const parameters = (firstUse: number) => ({
    // Compares the operation too, so that an idempotency key used for queued spins is refused for guest spins.
    operation,
    game: requestedGame(request),
    spins,
    date: result_effective_date ?? startOfDay(dayOf(firstUse)),
  });
  return { resource: 'spins', key, now: request.now, parameters };
}
