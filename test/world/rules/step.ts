/** Groups the changed items of one write or transaction by item type and user, for the rules. */
import type { Commit, StoredItem } from '../journal.ts';
import { type ItemType, organizationOf, shortId, typeOf } from './item-types.ts';

/** One item before and after a write. */
export type Change = Commit['changes'][number];

/** The changes of a write that belong to one user. */
export type UserStep = {
  /** The partition key of the user's items. */
  pk: string;
  /** The change of the `USER` item, which has the balances and the version. */
  user?: Change;
  /** The added records, in order of their sequence numbers. */
  records: StoredItem[];
  /** The user's changed due items. Due items are stored by shard, not under the user's partition key. */
  due: Change[];
  /** The added items of idempotency keys. */
  idempotency: StoredItem[];
};

/** One write or transaction with its changes by item type and user. */
export type Step = {
  /** True time of the write in epoch milliseconds, regardless of the writer's clock skew. */
  at: number;
  /** The writer: a function such as `tickets/credit`, `operator`, or `ttl` if DynamoDB deleted an expired item. */
  writer: string;
  /** Returns the changes of all items of one type. */
  of: (type: ItemType) => Change[];
  all: { type: ItemType; change: Change }[];
  users: UserStep[];
};

/** Returns the item after a change, or the former item if the change is a deletion. */
export const itemOf = ({ before, after }: Change): StoredItem => (after ?? before)!;

/** Groups the changes of a write by item type and user. */
export function readStep({ at, writer, changes }: Commit): Step {
  const all = changes.map((change) => ({ type: typeOf(itemOf(change)), change }));
  const of = (type: ItemType) => all.filter((one) => one.type === type).map(({ change }) => change);
  const users = new Map<string, UserStep>();
  for (const { type, change } of all) {
    const item = itemOf(change);
    const pk = type === 'due' ? `USER#${shortId(organizationOf(item))}#${shortId(item.user_id)}` : item.pk;
    if (!pk.startsWith('USER#')) continue;
    const step = users.get(pk) ?? { pk, records: [], due: [], idempotency: [] };
    users.set(pk, step);
    addTo(step, type, change);
  }
  for (const { records } of users.values()) records.sort((a, b) => a.sequence - b.sequence);
  return { at, writer, of, all, users: [...users.values()] };
}

function addTo(step: UserStep, type: ItemType, change: Change) {
  if (type === 'user') step.user = change;
  if (type === 'due') step.due.push(change);
  if (change.before || !change.after) return;
  if (type === 'record') step.records.push(change.after);
  if (type === 'idempotency') step.idempotency.push(change.after);
}

/** Filters the outcomes of plays and free spins among a user's records. */
export const outcomesIn = (records: StoredItem[]): StoredItem[] =>
  records.filter(({ kind }) => kind === 'outcomes');

/** Returns all outcomes that a write adds, each with all changes of its user in that write. */
export const outcomesOf = ({ users }: Step): { outcome: StoredItem; user: UserStep }[] =>
  users.flatMap((user) => outcomesIn(user.records).map((outcome) => ({ outcome, user })));
