/** How an operator cancels free spins that are still to run, and restores them. */
import type { User } from '../accounts/user.ts';
import { placeOf, replaceOrder, type SpinOrder } from '../amoe/spin-orders.ts';
import type { Part } from '../table/client.ts';
import { dueTimeKey, spinOrdersOf } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import type { By } from './operation-records.ts';
import { operateOnUser } from './record-user-action.ts';

/** Whose spins, and of which order; of all of them if none is named. */
export type Spins = { organizationId: string; userId: string; orderId?: string | undefined };

/**
 * Cancels all spins of a user that are still to run: none of them runs any more. Returns how many of which orders are
 * cancelled then. Throws `Invalid user ID`, or if the user has no such order.
 */
export async function cancelSpins(spins: Spins, by: By): Promise<Record<string, number>> {
  await change(spins, by, {
    action: 'spins_cancelled',
    count: ({ remaining }) => remaining,
    after: ({ remaining, ...order }) => ({ ...order, remaining: 0, cancelled: remaining }),
    sign: -1,
  });
  return cancelledOf(spins);
}

/**
 * Restores the cancelled spins of a user: they run as was promised, with the next sweep if their day has begun. Returns
 * how many of which orders are cancelled still. Throws as `cancelSpins`.
 */
export async function restoreSpins(spins: Spins, by: By): Promise<Record<string, number>> {
  await change(spins, by, {
    action: 'spins_restored',
    count: ({ cancelled = 0 }) => cancelled,
    after: ({ cancelled = 0, ...order }) => {
      const { organizationId, userId, ulid } = placeOf(order);
      const due = dueTimeKey(organizationId, userId, order.due_day, ulid);
      return { ...order, ...due, remaining: cancelled };
    },
    sign: 1,
  });
  return cancelledOf(spins);
}

type Kind = {
  action: 'spins_cancelled' | 'spins_restored';
  /** How many spins of an order it is about; 0 for an order that it leaves alone. */
  count: (order: SpinOrder) => number;
  after: (order: SpinOrder) => SpinOrder;
  /** Whether the user's queued spins rise or fall by them. */
  sign: 1 | -1;
};

/** A transaction has room for so many orders beside the user, the organization and the record. */
const ordersAtOnce = 90;

async function change(spins: Spins, by: By, { action, count, after, sign }: Kind): Promise<void> {
  const { organizationId, userId } = spins;
  for (let isDone = false; !isDone; ) {
    const decide = async (user: User) => {
      const all = (await ordersOf(spins)).filter((order) => count(order) > 0);
      isDone = all.length <= ordersAtOnce;
      const orders = all.slice(0, ordersAtOnce);
      if (orders.length === 0) return undefined;
      const counts = Object.fromEntries(orders.map((order) => [order.order_id, count(order)]));
      const sum = orders.reduce((sum, order) => sum + count(order), 0);
      const parts: Record<string, Part> = {};
      for (const [index, order] of orders.entries())
        parts[`order${index}`] = replaceOrder(order.remaining, after(order));
      const changed = { ...user, queued_spins: user.queued_spins + sign * sum };
      return { action, about: { spins: counts }, user: changed, parts };
    };
    await operateOnUser(organizationId, userId, decide, by);
  }
}

async function ordersOf({ organizationId, userId, orderId }: Spins): Promise<SpinOrder[]> {
  const all = await readRange(spinOrdersOf(organizationId, userId), { consistent: true });
  const orders = all as SpinOrder[];
  if (orderId === undefined) return orders;
  const named = orders.filter(({ order_id }) => order_id === orderId);
  if (named.length === 0) throw new Error(`user ${userId} has no order ${orderId}`);
  return named;
}

async function cancelledOf(spins: Spins): Promise<Record<string, number>> {
  const orders = await ordersOf(spins);
  return Object.fromEntries(
    orders.flatMap(({ order_id, cancelled }) => (cancelled ? [[order_id, cancelled]] : [])),
  );
}
