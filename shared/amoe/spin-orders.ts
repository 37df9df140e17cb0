import { type Committed, commit, type Idempotency } from '../accounts/commit.ts';
import { append, type OrderRecord, timeOfNext } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { freeSpins, requireNoHold } from '../games/holds.ts';
import type { Outcome } from '../games/outcomes.ts';
import { settingsOf, tableVersionOf } from '../games/settings.ts';
import { ulidOf } from '../ids.ts';
import { shardOf } from '../shards.ts';
import { get, type Item, type Part } from '../table/client.ts';
import {
  dueTimeKey,
  type Key,
  settingsKey,
  spinOrderKey,
  type TimeKey,
  withoutTimeKey,
} from '../table/keys.ts';
import { addDays, dayOf, isoOf, startOfDay, startOfToday } from '../time.ts';

/** What free spins draw from: the table of the wheel, as any player of the wheel does. */
export const game = 'prizewheel';

/**
 * What remains to do of free spins that a user has asked for. Their record says what was promised; the seeds of their
 * draws follow from it.
 */
export type SpinOrder = Key &
  Partial<TimeKey> &
  Pick<
    OrderRecord,
    'order_id' | 'organization_id' | 'user_id' | 'num_of_spins' | 'result_effective_date' | 'due_day'
  > & {
    /** Spins still to run; while there are any, the order is in the index. */
    remaining: number;
    /** Spins that an operator has cancelled: those that then remained. */
    cancelled?: number;
    /** A guest's order keeps its outcomes, for the answer and its replays. */
    outcomes?: Outcome[];
    /** Of its record: its number among the user's, the hash before it, and what it promises to draw from and to mix in. */
    order_sequence: number;
    last_hash: string;
    prize_table_version: string;
    beacon?: string;
  };

/** A host's request for free spins. */
export type SpinRequest = {
  organizationId: string;
  userId: string;
  /** What the host asks for; all of it is what a repetition of its idempotency key must share. */
  asked: {
    num_of_spins: number;
    /** Epoch milliseconds to which results are attributed; the start of today in New York if absent. */
    result_effective_date?: number | undefined;
    idempotency_key: string;
  };
  now: number;
};

/** Queues spins for the next midnight in New York; returns how many the user then has to run. Two round trips. */
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
      // The day of the order's record: one that was overtaken over midnight is not due on a midnight that has passed.
      const due_day = addDays(dayOf(timeOfNext(user, now)), 1);
      const placed = placeOrder(user, request, {
        run: 'queued',
        due_day,
        prize_table_version: tableVersionOf(settings, game),
        ...(beacon ? { beacon } : {}),
      });
      return {
        user: placed.user,
        records: [placed.record],
        writes: { order: { Put: { Item: placed.order } } },
        reply: { total_queued_spins: placed.user.queued_spins },
      };
    },
  });
}

/** When an order's spins run, what they draw from, and the beacon that they mix in. */
type Promised = Pick<OrderRecord, 'run' | 'due_day' | 'prize_table_version' | 'beacon'>;

/** Orders all of a request's spins. Returns the user after it, and what to write. */
export function placeOrder(user: User, { asked, now }: SpinRequest, promised: Promised) {
  const { num_of_spins, result_effective_date: effectiveAt, idempotency_key } = asked;
  const promise = {
    kind: 'orders' as const,
    num_of_spins,
    ...promised,
    result_effective_date: effectiveAt === undefined ? startOfToday(now) : isoOf(effectiveAt),
    idempotency_key,
  };
  const { user: after, record } = append(user, promise, now);
  const waiting = { ...after, queued_spins: user.queued_spins + num_of_spins };
  return { user: waiting, record, order: orderOf(record) };
}

function orderOf(record: OrderRecord): SpinOrder {
  const { order_id, organization_id, user_id, num_of_spins, result_effective_date, due_day } = record;
  return {
    ...spinOrderKey(organization_id, user_id, ulidOf(order_id)),
    ...dueTimeKey(organization_id, user_id, due_day, ulidOf(order_id)),
    order_id,
    organization_id,
    user_id,
    num_of_spins,
    remaining: num_of_spins,
    result_effective_date,
    due_day,
    order_sequence: record.sequence,
    last_hash: record.last_hash,
    prize_table_version: record.prize_table_version,
    ...(record.beacon ? { beacon: record.beacon } : {}),
  };
}

/** Where an order is. */
export type OrderPlace = { organizationId: string; userId: string; ulid: string };
export const placeOf = ({ organization_id, user_id, order_id }: SpinOrder): OrderPlace => ({
  organizationId: organization_id,
  userId: user_id,
  ulid: ulidOf(order_id),
});

/** An order as it is now. One round trip. */
export const readOrder = ({ organizationId, userId, ulid }: OrderPlace) =>
  get<SpinOrder>(spinOrderKey(organizationId, userId, ulid));

const stillToRun = 'remaining = :before';

/** The part of a transaction that stores an order if so many spins of it remain before. */
export function replaceOrder(before: number, after: SpinOrder): Part {
  return {
    Put: {
      Item: storedOrder(after),
      ConditionExpression: stillToRun,
      ExpressionAttributeValues: { ':before': before },
    },
  };
}

/** Once nothing remains of it, an order leaves the index of what is due. */
export function storedOrder(order: SpinOrder): Item {
  if (order.remaining > 0) return order;
  return withoutTimeKey(order);
}

/** Returns the use of a request's key. Queueing and running at once share one space of keys, and are different requests. */
export function idempotencyOf({ asked, now }: SpinRequest, operation: 'queue' | 'play'): Idempotency {
  const { idempotency_key: key, num_of_spins: spins, result_effective_date } = asked;
  const parameters = (firstUse: number) => ({
    operation,
    spins,
    date: result_effective_date ?? startOfDay(dayOf(firstUse)),
  });
  return { resource: 'spins', key, now, parameters };
}
