import type { OrderRecord } from '../../../../shared/accounts/records.ts';
import { readUserOrErased, type User } from '../../../../shared/accounts/user.ts';
import type { ActionRecord } from '../../../../shared/actions/action-records.ts';
import { cancelledSpinsIn } from '../../../../shared/actions/cancel-spins.ts';
import { readOpenOrders, readOpenOrdersAmong } from '../../../../shared/amoe/open-orders.ts';
import { endsHoldOn, freeSpinFeatures, pausedFeatures } from '../../../../shared/games/holds.ts';
import { gameOfVersion } from '../../../../shared/games/prize-tables.ts';
import { type Settings, settingsOf } from '../../../../shared/games/settings.ts';
import { isId, ulidOf } from '../../../../shared/ids.ts';
import { getItem } from '../../../../shared/table/client.ts';
import { actionsOf, between, recordKey, recordsInShards } from '../../../../shared/table/keys.ts';
import { readRange } from '../../../../shared/table/ranges.ts';
import { BadUsage } from '../../../common/arguments.ts';
import { Problem } from '../../../common/problem.ts';
import { readOrganization } from '../organization.ts';
import { readQueueDepths } from '../stage.ts';
import { type SpinOrder, type WaitCause, waitCauseOf } from './spin-causes.ts';

type NamedSpins = { user?: string | undefined; order?: string | undefined };

/**
 * Explains why the spins of one order, or of all waiting and cancelled orders of a user, have not run. Throws a Problem
 * for an unknown order.
 */
export async function explainFreeSpins(organizationId: string, { user, order }: NamedSpins, now: number) {
  if (user === undefined && order === undefined) throw new BadUsage('Give --user or --order.');
  const organization = await readOrganization(organizationId);
  const userId = user ?? (await userOfOrder(organizationId, order!));
  const stored = await readUserOrErased(organizationId, userId);
  const actions = (await readRange(actionsOf(organizationId), { consistent: true })) as ActionRecord[];
  const ofUser = actions.filter(({ about }) => about?.user_id === userId);
  const orders = await ordersOf(stored, order, cancelledSpinsIn(ofUser));
  const queue = await spinQueue();
  const settings = settingsOf(organization);
  const explained = orders.map((one) => {
    const ended = actions.findLast((action) => endsHoldOn(one, action));
    const heldUntil = Date.parse(ended?.date_created ?? one.date_created);
    const cause = waitCauseOf(one, { now, settings, user: stored, heldUntil, queue });
    const { order_id, due_day, num_of_spins, remaining, cancelled } = one;
    const ran = num_of_spins - remaining - cancelled;
    const counts = { order_id, due_day, num_of_spins, ran, remaining, cancelled };
    return { ...counts, ...cause, ...operatorWhoCaused(cause.cause, one, actions, settings) };
  });
  return { organization_id: organizationId, user_id: userId, orders: explained };
}

async function userOfOrder(organizationId: string, orderId: string): Promise<string> {
  const ulid = isId('ord', orderId) ? ulidOf(orderId) : undefined;
  const ranges = recordsInShards(organizationId, 'orders');
  const found = ulid ? await Promise.all(ranges.map((range) => readRange(between(range, ulid, ulid)))) : [];
  const [record] = found.flat() as unknown as OrderRecord[];
  if (!record) throw new Problem(`Organization ${organizationId} has no order ${orderId}.`);
  return record.user_id;
}

/** Returns the named order, or all of the user's waiting and cancelled orders, oldest first. */
async function ordersOf(
  user: User,
  orderId: string | undefined,
  cancelled: Record<string, number>,
): Promise<SpinOrder[]> {
  const ids = orderId === undefined ? Object.keys(cancelled) : [orderId];
  const named = await Promise.all(ids.map((id) => readOrder(user, id)));
  const open = await (orderId === undefined ? readOpenOrders(user) : readOpenOrdersAmong(named));
  const closed = named.filter(({ order_id }) => !open.some(({ order }) => order.order_id === order_id));
  return [...open, ...closed.map((order) => ({ order, remaining: 0 }))]
    .map(({ order, remaining }) => ({ ...order, remaining, cancelled: cancelled[order.order_id] ?? 0 }))
    .sort((a, b) => a.sequence - b.sequence);
}

async function readOrder({ organization_id, user_id }: User, id: string): Promise<OrderRecord> {
  const order = await getItem<OrderRecord>(recordKey(organization_id, user_id, 'orders', ulidOf(id)));
  if (order?.order_id !== id) throw new Problem(`User ${user_id} has no order ${id}.`);
  return order;
}

async function spinQueue() {
  const { waiting, delayed, in_flight, dead_letters } = (await readQueueDepths()).find(
    ({ queue }) => queue === 'spin-shards',
  )!;
  return { pendingMessages: waiting + delayed + in_flight, deadLetters: dead_letters };
}

/** Returns whether an action is why the order's spins wait. */
function isCauseOf(
  cause: WaitCause['cause'],
  order: SpinOrder,
  { action, about, before, after }: ActionRecord,
  { paused }: Settings,
): boolean {
  if (cause === 'spins_cancelled') return action === cause && about?.spins?.[order.order_id] !== undefined;
  if (cause === 'organization_suspended') return after.suspended === true;
  if (cause === 'user_frozen') return action === cause && about?.user_id === order.user_id;
  if (cause !== 'game_paused') return false;
  const needed = freeSpinFeatures(gameOfVersion(order.prize_table_version));
  const newlyPaused = pausedFeatures(after.paused).filter(
    (one) => !pausedFeatures(before.paused).includes(one),
  );
  return newlyPaused.some((one) => needed.includes(one) && pausedFeatures(paused).includes(one));
}

function operatorWhoCaused(
  cause: WaitCause['cause'],
  order: SpinOrder,
  actions: ActionRecord[],
  settings: Settings,
) {
  const action = actions.findLast((one) => isCauseOf(cause, order, one, settings));
  if (!action) return {};
  const { action_id, operator, date_created: at, why } = action;
  return { by: { action_id, operator, at, ...(why === undefined ? {} : { why }) } };
}
