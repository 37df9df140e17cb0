/** Rules of orders of free spins. Pure, so that checks of books repeat every order with the same rules. */
import { append, type OrderRecord, timeOfNext } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { type Settings, tableVersionOf } from '../games/settings.ts';
import { addDays, dayOf, isoOf, startOfToday } from '../time.ts';

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

/** Returns the New York day of an order, which is never before the user's last record. */
export const dayOfOrder = (user: User, now: number): string => dayOf(timeOfNext(user, now));

/** Inputs of an order's spins, which the order fixes before anybody can know their results. */
type Promised = Pick<OrderRecord, 'run' | 'due_day' | 'prize_table_version' | 'beacon'>;

/** Returns an order's promise. Queued spins are due the next day, whose secret is still unknown. */
export function promiseOf(user: User, run: OrderRecord['run'], settings: Settings, now: number): Promised {
  const today = dayOfOrder(user, now);
  const prize_table_version = tableVersionOf(settings, game);
  if (run === 'at_once') return { run, due_day: today, prize_table_version };
  const { beacon } = settings;
  return { run, due_day: addDays(today, 1), prize_table_version, ...(beacon ? { beacon } : {}) };
}

/** Returns the fields of an order's record, and the user with the order's spins. */
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
    result_effective_date: effectiveAt === undefined ? startOfToday(now) : isoOf(effectiveAt),
    idempotency_key,
  };
  return { user: { ...user, queued_spins: user.queued_spins + num_of_spins }, fields };
}

/** Adds an order and its spins to a user. The caller writes the returned user and record. */
export function placeOrder(user: User, request: SpinRequest, promised: Promised) {
  const decided = decideOrder(user, request, promised);
  const { user: after, record: order } = append(decided.user, decided.fields, request.now);
  return { user: after, order };
}
