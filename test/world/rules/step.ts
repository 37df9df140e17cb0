/** One step of a world, as rules look at it: what was written at once, sorted by what it is. */
import type { Commit, StoredItem } from '../journal.ts';
import { type ItemType, organizationOf, shortId, typeOf } from './stored.ts';

/** How one item was changed. */
export type Change = Commit['changes'][number];

/** What was written of one user. */
export type UserStep = {
  /** The user's partition. */
  pk: string;
  /** The change of the user itself. */
  user?: Change;
  /** The records that were added, in the order of their sequence numbers. */
  records: StoredItem[];
  /** Its due items, which lie in partitions of their own. */
  due: Change[];
  /** Idempotency items and milestones that were added. */
  idempotency: StoredItem[];
  milestones: StoredItem[];
};

/** One step. */
export type Step = {
  /** The true time, in epoch milliseconds. */
  at: number;
  /** The function that wrote: its name alone. */
  by: string;
  /** All changes of items of a type. */
  of: (type: ItemType) => Change[];
  all: { type: ItemType; change: Change }[];
  users: UserStep[];
};

/** The item that was changed, as it is or, if it is no more, as it was. */
export const itemOf = ({ before, after }: Change): StoredItem => (after ?? before)!;

/** Sorts what was written in one step. */
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

/** The orders of free spins among some records. */
export const ordersIn = (records: StoredItem[]): StoredItem[] =>
  records.filter(({ kind }) => kind === 'orders');

/** Remembers the records of orders, by their ids, of the steps that it is shown. */
export function watchOrders() {
  const orders = new Map<string, StoredItem>();
  return {
    find: (orderId: string) => orders.get(orderId),
    see({ users }: Step) {
      for (const { records } of users)
        for (const order of ordersIn(records)) orders.set(order.order_id, order);
    },
  };
}

/** The outcomes among some records. */
export const outcomesIn = (records: StoredItem[]): StoredItem[] =>
  records.filter(({ kind }) => kind === 'outcomes');

/** The outcomes of a step, each with what was written of its user. */
export const outcomesOf = ({ users }: Step): { outcome: StoredItem; user: UserStep }[] =>
  users.flatMap((user) => outcomesIn(user.records).map((outcome) => ({ outcome, user })));
