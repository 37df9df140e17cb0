/** One write, with its items sorted by type and user. */
import type { Commit, StoredItem } from '../journal.ts';
import { type ItemType, organizationOf, shortId, typeOf } from './item-types.ts';

/** The change of one item. */
export type Change = Commit['changes'][number];

/** The part of a write that belongs to one user. */
export type UserStep = {
  /** The user's partition key. */
  pk: string;
  /** The change of the user's item. */
  user?: Change;
  /** New records, by sequence number. */
  records: StoredItem[];
  /** Due items, which are in other partitions. */
  due: Change[];
  /** New idempotency items. */
  idempotency: StoredItem[];
  milestones: StoredItem[];
};

/** One write. */
export type Step = {
  /** True time in epoch milliseconds. */
  at: number;
  /** The name of the function that wrote. */
  by: string;
  /** Returns the changes of one item type. */
  of: (type: ItemType) => Change[];
  all: { type: ItemType; change: Change }[];
  users: UserStep[];
};

/** Returns the item after the change, or before it if it was deleted. */
export const itemOf = ({ before, after }: Change): StoredItem => (after ?? before)!;

/** Sorts a commit by item type and user. */
export function readStep({ at, by, changes }: Commit): Step {
  const all = changes.map((change) => ({ type: typeOf(itemOf(change)), change }));
  const of = (type: ItemType) => all.filter((one) => one.type === type).map(({ change }) => change);
  const users = new Map<string, UserStep>();
  for (const { type, change } of all) {
    const item = itemOf(change);
    const pk = type === 'due' ? `USER#${shortId(organizationOf(item))}#${shortId(item.user_id)}` : item.pk;
    if (!pk.startsWith('USER#')) continue;
    const step = users.get(pk) ?? { pk, records: [], due: [], idempotency: [], milestones: [] };
    users.set(pk, step);
    addTo(step, type, change);
  }
  for (const { records } of users.values()) records.sort((a, b) => a.sequence - b.sequence);
  return { at, by, of, all, users: [...users.values()] };
}

function addTo(step: UserStep, type: ItemType, change: Change) {
  if (type === 'user') step.user = change;
  if (type === 'due') step.due.push(change);
  if (change.before || !change.after) return;
  if (type === 'record') step.records.push(change.after);
  if (type === 'idempotency') step.idempotency.push(change.after);
  if (type === 'milestone') step.milestones.push(change.after);
}

/** Returns the orders among some records. */
export const ordersIn = (records: StoredItem[]): StoredItem[] =>
  records.filter(({ kind }) => kind === 'orders');

/** Tracks the records of orders by id. */
export function trackOrders() {
  const orders = new Map<string, StoredItem>();
  return {
    find: (orderId: string) => orders.get(orderId),
    see({ users }: Step) {
      for (const { records } of users)
        for (const order of ordersIn(records)) orders.set(order.order_id, order);
    },
  };
}

/** Returns the outcomes among some records. */
export const outcomesIn = (records: StoredItem[]): StoredItem[] =>
  records.filter(({ kind }) => kind === 'outcomes');

/** Returns the outcomes of a write, each with the rest of its user's changes. */
export const outcomesOf = ({ users }: Step): { outcome: StoredItem; user: UserStep }[] =>
  users.flatMap((user) => outcomesIn(user.records).map((outcome) => ({ outcome, user })));
