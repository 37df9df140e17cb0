import { ulid } from 'ulid';
import { type Committed, commit, type Idempotency } from '../accounts/commit.ts';
import type { Outcome } from '../games/outcomes.ts';
import { idOf, sha256, ulidOf } from '../ids.ts';
import { get } from '../table/client.ts';
import { dueTimeKey, type Key, spinOrderKey, type TimeKey } from '../table/keys.ts';
import { addDays, dayOf, isoOf, startOfDay, startOfToday } from '../time.ts';

/** How many shards the due orders lie in; as many workers could work them off side by side. */
export const spinShards = 16;

/**
 * Free spins that a user has asked for: stored once, with what remains to do. The server seeds of its draws follow from
 * the secret of the day on which they run, and their client seed is the SHA-256 of its idempotency key, which the host
 * chose.
 */
export type SpinOrder = Key &
  Partial<TimeKey> & {
    order_id: string;
    organization_id: string;
    user_id: string;
    num_of_spins: number;
    /** Spins still to run; while there are any, the order is in the index. */
    remaining: number;
    result_effective_date: string;
    due_day: string;
    /** Only orders of before have one, for all of their spins. */
    server_seed?: string;
    client_seed: string;
    /** A guest's order keeps its outcomes, for the answer and its replays. */
    outcomes?: Outcome[];
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
  const order = newOrder(request, addDays(dayOf(now), 1));
  return commit({
    organizationId,
    userId,
    idempotency: idempotencyOf(request, 'queue'),
    decide: ({ user }) => {
      const queued_spins = user.queued_spins + order.num_of_spins;
      return {
        user: { ...user, queued_spins },
        writes: { order: { Put: { Item: order } } },
        reply: { total_queued_spins: queued_spins },
      };
    },
  });
}

/** An order for all of a request's spins, to be run from the start of its due day. */
export function newOrder(request: SpinRequest, dueDay: string): SpinOrder {
  const { organizationId, userId, asked, now } = request;
  const effectiveAt = asked.result_effective_date;
  const id = ulid(now);
  return {
    ...spinOrderKey(organizationId, userId, id),
    ...dueTimeKey(shardOf(userId), dueDay, id),
    order_id: idOf('ord', id),
    organization_id: organizationId,
    user_id: userId,
    num_of_spins: asked.num_of_spins,
    remaining: asked.num_of_spins,
    result_effective_date: effectiveAt === undefined ? startOfToday(now) : isoOf(effectiveAt),
    due_day: dueDay,
    client_seed: sha256(asked.idempotency_key),
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

/** The shard of a user: all orders of one user are in one, so that two workers seldom meet at a user. */
export const shardOf = (userId: string): number =>
  Buffer.from(sha256(userId), 'base64url').readUInt32BE(0) % spinShards;

/** Queueing and running at once share one space of keys; a key of one is no key of the other. */
export function idempotencyOf(request: SpinRequest, operation: 'queue' | 'play'): Idempotency {
  const { idempotency_key, num_of_spins, result_effective_date: date, ...others } = request.asked;
  const today = startOfDay(dayOf(request.now));
  const said = (date: number | null) => ({ ...others, operation, spins: num_of_spins, date });
  const other = date === undefined ? today : date === today ? null : undefined;
  return {
    resource: 'spins',
    key: idempotency_key,
    parameters: said(date ?? null),
    sameAs: other === undefined ? undefined : said(other),
  };
}
