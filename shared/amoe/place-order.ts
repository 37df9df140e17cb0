import { appendRecord, nextEffectiveDate, type OrderRecord, timeOfNextRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { type Settings, tableVersionOf } from '../games/settings.ts';
import { addDays, dayOf, isoOf } from '../time.ts';
import type { Game } from '../vocabulary.ts';

export type SpinRequest = {
  organizationId: string;
  userId: string;
  /** A request that repeats the idempotency key must repeat these fields. */
  asked: {
    num_of_spins: number;
    /** The game whose prize table is drawn. Defaults to the prize wheel. */
    game?: Game;
    /** Effective date of the outcomes, in epoch milliseconds. Defaults to the start of today in New York. */
    result_effective_date?: number | undefined;
    idempotency_key: string;
  };
  suspended?: boolean;
  now: number;
};

export const requestedGame = ({ asked }: SpinRequest): Game => asked.game ?? 'prizewheel';

/** Converts a request of any of the three endpoints that order spins. */
export const spinRequestOf = (request: {
  organizationId: string;
  path: { user_id: string };
  body: SpinRequest['asked'];
  suspended: boolean;
  now: number;
}): SpinRequest => {
  const { organizationId, path, body, suspended, now } = request;
  return { organizationId, userId: path.user_id, asked: body, suspended, now };
};

/** Terms that the order's record fixes before anybody can know the draws. */
type OrderTerms = Pick<OrderRecord, 'run' | 'due_day' | 'prize_table_version'>;

export function orderTermsOf(
  user: User,
  run: OrderRecord['run'],
  settings: Settings,
  request: SpinRequest,
): OrderTerms {
  const today = dayOf(timeOfNextRecord(user, request.now));
  const prize_table_version = tableVersionOf(settings, requestedGame(request));
  if (run === 'at_once') return { run, due_day: today, prize_table_version };
  return { run, due_day: addDays(today, 1), prize_table_version };
}

export function placeOrder(user: User, { asked, now }: SpinRequest, promised: OrderTerms) {
  const { num_of_spins, result_effective_date: effectiveAt, idempotency_key } = asked;
  const fields = {
    kind: 'orders' as const,
    num_of_spins,
    ...promised,
    result_effective_date: effectiveAt === undefined ? nextEffectiveDate(user, now) : isoOf(effectiveAt),
    idempotency_key,
  };
  const queued = { ...user, queued_spins: user.queued_spins + num_of_spins };
  const { user: after, record: order } = appendRecord(queued, fields, now);
  return { user: after, order };
}
