import type { OrderRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { ulidOf } from '../ids.ts';
import { getItems, type Item, type TableWrite } from '../table/client.ts';
import { dueItemKey, dueItemsInShard, type Key, recordKey, recordsOfUser } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';

/** An order, and the number of its spins that have not run yet. */
export type OpenOrder = { order: OrderRecord; remaining: number };

type DueItem = Key & { user_id: string; remaining: number };

export const dueItemKeyOf = ({ organization_id, user_id, due_day, order_id }: OrderRecord): Key =>
  dueItemKey(organization_id, user_id, due_day, ulidOf(order_id));

export const dueItemOf = (order: OrderRecord, remaining: number): DueItem => ({
  ...dueItemKeyOf(order),
  user_id: order.user_id,
  remaining,
});

export const remainingSpinsIn = (due: Item | undefined): number => Number(due?.remaining ?? 0);

export function remainingSpinsWrite(order: OrderRecord, before: number, after: number): TableWrite {
  const condition =
    before === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'remaining = :before', ExpressionAttributeValues: { ':before': before } };
  return after === 0
    ? { Delete: { Key: dueItemKeyOf(order), ...condition } }
    : { Put: { Item: dueItemOf(order, after), ...condition } };
}

const itemsPerKey = 50;

export async function* readOpenOrdersInShard(
  organizationId: string,
  shard: number,
  untilDay: string,
): AsyncGenerator<OpenOrder[], undefined> {
  // Each page has orders of both partition keys, so that the spin run spreads its writes over both.
  const keys = dueItemsInShard(organizationId, shard, untilDay).map((range) =>
    batches(range, { limit: itemsPerKey, consistent: true }),
  );
  for (;;) {
    const pages = await Promise.all(keys.map((key) => key.next()));
    if (pages.every(({ done }) => done)) return;
    const items = pages.flatMap(({ value = [] }) => value as DueItem[]);
    const records = await getItems(
      items.map(({ sk, user_id }) => recordKey(organizationId, user_id, 'orders', sk.split('#')[1]!)),
    );
    yield items.flatMap(({ remaining }, index) => {
      const order = records[index] as OrderRecord | undefined;
      return order ? [{ order, remaining }] : [];
    });
  }
}

const ordersAtOnce = 100;

export async function readOpenOrders({ organization_id, user_id, queued_spins }: User): Promise<OpenOrder[]> {
  const found: OpenOrder[] = [];
  if (queued_spins === 0) return found;
  const orders = recordsOfUser(organization_id, user_id, 'orders');
  const options = { newestFirst: true, consistent: true, limit: ordersAtOnce };
  for await (const records of batches(orders, options)) {
    found.push(...(await readOpenOrdersAmong(records as OrderRecord[])));
    if (found.reduce((sum, { remaining }) => sum + remaining, 0) >= queued_spins) break;
  }
  return found.reverse();
}

/** Returns those of `orders` (at most 100) that have remaining spins. */
export async function readOpenOrdersAmong(orders: OrderRecord[]): Promise<OpenOrder[]> {
  const items = await getItems(orders.map(dueItemKeyOf));
  return orders
    .map((order, index) => ({ order, remaining: remainingSpinsIn(items[index]) }))
    .filter(({ remaining }) => remaining > 0);
}
