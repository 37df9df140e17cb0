/** Rules of orders of free spins. Pure, so that checks of books can repeat every order. */
import { append, dateOfNext, type OrderRecord, timeOfNext } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { type StoredSettings, tableVersionOf } from '../games/settings.ts';
import { addDays, dayOf, isoOf } from '../time.ts';

/** All free spins are spins of the prize wheel. */
export const game = 'prizewheel';

export type SpinRequest = {
  organizationId: string;
  userId: string;
  /** Fields of the request. A request that repeats the idempotency key must repeat these fields. */
  asked: {
    num_of_spins: number;
    /** Effective date of the outcomes, in epoch milliseconds. Defaults to the start of today in New York. */
    result_effective_date?: number | undefined;
    idempotency_key: string;
  };
  suspended?: boolean;
  now: number;
};

/** Inputs of an order's draws. The order's record fixes them before anybody can know the draws. */
type Promised = Pick<OrderRecord, 'run' | 'due_day' | 'prize_table_version'>;

/** Returns the inputs of an order's draws. Queued spins are due on the next day. */
export function promiseOf(
  user: User,
  run: OrderRecord['run'],
  settings: StoredSettings,
  now: number,
): Promised {
  const today = dayOf(timeOfNext(user, now));
  const prize_table_version = tableVersionOf(settings, game);
  if (run === 'at_once') return { run, due_day: today, prize_table_version };
  const { days_ahead = 0 } = settings;
  return { run, due_day: addDays(today, days_ahead + 1), prize_table_version };
}

/** Returns the fields of an order's record, and the user with the order's spins added to `queued_spins`. */
export function decideOrder(
  user: User,
  { asked, now }: Pick<SpinRequest, 'asked' | 'now'>,
  promised: Promised,
) {
  const { num_of_spins, result_effective_date: effectiveAt, idempotency_key } = asked;
  const fields = {
    kind: 'orders' as const,
    num_of_spins,
    ...promised,
    result_effective_date: effectiveAt === undefined ? dateOfNext(user, now) : isoOf(effectiveAt),
    idempotency_key,
  };
  return { user: { ...user, queued_spins: user.queued_spins + num_of_spins }, fields };
}

/**
 * Returns the record of a new order, and the user with the order's spins. The caller writes the record and
 * the user.
 */
export function placeOrder(user: User, request: SpinRequest, promised: Promised) {
  const decided = decideOrder(user, request, promised);
  const { user: after, record: order } = append(decided.user, decided.fields, request.now);
  return { user: after, order };
}
