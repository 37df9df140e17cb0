import type { OrderRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { type OpenOrder, readOpenOrders, remainingSpinsWrite } from '../amoe/open-orders.ts';
import { ulidOf } from '../ids.ts';
import { getItem, type TableWrite } from '../table/client.ts';
import { recordKey } from '../table/keys.ts';
import type { ActionContext, ActionRecord } from './action-records.ts';
import { readActionsOnUser } from './actions-about.ts';
import { recordUserAction } from './record-user-action.ts';

/** Selects the spins of one order, or of all the user's orders if `orderId` is absent. */
type SpinSelection = { organizationId: string; userId: string; orderId?: string | undefined };

/** Cancels queued spins that have not run. A guest's spins stay, because the guest's request waits for them. */
export async function cancelSpins(
  spins: SpinSelection,
  context: ActionContext,
): Promise<Record<string, number>> {
  const openOrders = async (user: User) =>
    (await readOpenOrders(user)).filter(
      ({ order: { order_id, run } }) => run === 'queued' && order_id === (spins.orderId ?? order_id),
    );
  await change(spins, context, 'spins_cancelled', openOrders);
  return readCancelledSpins(spins);
}

export async function restoreSpins(
  spins: SpinSelection,
  context: ActionContext,
): Promise<Record<string, number>> {
  const cancelledOrders = async () =>
    Promise.all(
      Object.entries(await readCancelledSpins(spins)).map(async ([orderId, remaining]) => ({
        order: await readOrder(spins, orderId),
        remaining,
      })),
    );
  await change(spins, context, 'spins_restored', cancelledOrders);
  return readCancelledSpins(spins);
}

/** Maximum orders per transaction. DynamoDB allows 100 items, of which the transaction needs three for other writes. */
const ordersAtOnce = 90;

/** Cancels or restores the spins of all orders that `find` returns, with one recorded action per 90 orders. */
async function change(
  spins: SpinSelection,
  context: ActionContext,
  action: 'spins_cancelled' | 'spins_restored',
  find: (user: User) => Promise<OpenOrder[]>,
): Promise<void> {
  const { organizationId, userId, orderId } = spins;
  const isCancelled = action === 'spins_cancelled';
  for (let isDone = false; !isDone; ) {
    const decide = async (user: User) => {
      if (orderId !== undefined) await readOrder(spins, orderId);
      const all = await find(user);
      isDone = all.length <= ordersAtOnce;
      const orders = all.slice(0, ordersAtOnce);
      if (orders.length === 0) return undefined;
      const writes: Record<string, TableWrite> = {};
      const counts: Record<string, number> = {};
      let queued = user.queued_spins;
      for (const { order, remaining } of orders) {
        const [before, after] = isCancelled ? [remaining, 0] : [0, remaining];
        writes[order.order_id] = remainingSpinsWrite(order, before, after);
        counts[order.order_id] = remaining;
        queued += after - before;
      }
      return { action, about: { spins: counts }, user: { ...user, queued_spins: queued }, writes };
    };
    await recordUserAction(organizationId, userId, decide, context);
  }
}

/** Returns the cancelled spins by order. `actions` are the actions on the user, oldest first. */
export function cancelledSpinsIn(actions: ActionRecord[]): Record<string, number> {
  const cancelled: Record<string, number> = {};
  for (const { action, about } of actions) {
    for (const [orderId, count] of Object.entries(about?.spins ?? {})) {
      if (action === 'spins_cancelled') cancelled[orderId] = count;
      else delete cancelled[orderId];
    }
  }
  return cancelled;
}

async function readCancelledSpins({
  organizationId,
  userId,
  orderId,
}: SpinSelection): Promise<Record<string, number>> {
  const actions: ActionRecord[] = [];
  for await (const record of readActionsOnUser(organizationId, userId)) actions.push(record);
  const cancelled = Object.entries(cancelledSpinsIn(actions));
  return Object.fromEntries(cancelled.filter(([id]) => orderId === undefined || id === orderId));
}

async function readOrder({ organizationId, userId }: SpinSelection, orderId: string): Promise<OrderRecord> {
  const order = await getItem<OrderRecord>(recordKey(organizationId, userId, 'orders', ulidOf(orderId)));
  if (order?.order_id !== orderId) throw new Error(`user ${userId} has no order ${orderId}`);
  return order;
}
