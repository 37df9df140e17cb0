/** Compares the orders in the given books with the checkpoints that must have closed them. */
import { finderAmong, isListed, listedOrder } from '../../amoe/checkpoint.ts';
import { isoOf } from '../../time.ts';
import type { Checkpoint, Others } from './checkpoints.ts';
import type { Checking } from './day.ts';
import type { Holds } from './holds.ts';
import { beginningOf, toleranceMs } from './in-force.ts';
import type { Order } from './orders.ts';

type Finder = (order: Order) => Checkpoint | undefined;
const finders = new WeakMap<readonly Checkpoint[], Finder>();

/** Returns a function that finds the only checkpoint that can have closed an order. */
export function checkpointFinder({
  checkpoints,
  holds,
}: {
  checkpoints: readonly Checkpoint[];
  holds: Holds;
}): Finder {
  const known = finders.get(checkpoints);
  if (known) return known;
  const among = finderAmong(checkpoints);
  const finder: Finder = (order) => among(order, mustBeListed(holds, order));
  finders.set(checkpoints, finder);
  return finder;
}

function mustBeListed(holds: Holds, { order_id, due_day, placedAt }: Order): boolean {
  const dueAt = beginningOf(due_day);
  const wasCancelled = holds.get(order_id)?.some(({ from }) => from < dueAt) ?? false;
  return isListed(placedAt, dueAt, wasCancelled);
}

const noOthers = (): Others => ({ hashes: [], from: '9999-12-31' });

/** The orders that each checkpoint must have, computed from the records of some of the users. */
export type OrdersToClose = {
  /** By the checkpoint's `drawsAt`. */
  others: Map<number, Others>;
  /** The listed orders that exist. */
  listed: string[];
  /** Faults of lists, by the checkpoint's `drawsAt`. */
  faults: { drawsAt: number; sentence: string }[];
};

/** Returns which orders each checkpoint must have, and faults of the lists of checkpoints. */
export function ordersToClose({ users, day }: Checking): OrdersToClose {
  const { checkpoints, holds } = day;
  const others = new Map(checkpoints.map(({ drawsAt }) => [drawsAt, noOthers()]));
  const found: OrdersToClose = { others, listed: [], faults: [] };
  const checkpointOf = checkpointFinder(day);
  const listings = new Map<string, Checkpoint>();
  for (const one of checkpoints) for (const text of one.listed) listings.set(text, one);
  for (const { orders } of users.values()) {
    for (const order of orders?.values() ?? []) {
      const { order_id, due_day, beacon, hash } = order;
      if (!beacon) continue;
      const text = listedOrder(order);
      const listing = listings.get(text);
      if (listing) found.listed.push(text);
      const isSingle = mustBeListed(holds, order);
      const checkpoint = isSingle ? undefined : checkpointOf(order);
      // An order due before `from` can be in the checkpoint of a missing book.
      if (checkpoint && (due_day >= checkpoint.from || beginningOf(due_day) >= day.gaplessSince)) {
        const toClose = others.get(checkpoint.drawsAt)!;
        toClose.hashes.push(hash);
        if (due_day < toClose.from) toClose.from = due_day;
      }
      const fault = listing && faultOf(order, listing, isSingle, holds);
      if (fault) found.faults.push({ drawsAt: listing.drawsAt, sentence: `Order ${order_id} ${fault}.` });
    }
  }
  return found;
}

function faultOf(
  { order_id, due_day }: Order,
  { drawsAt }: Checkpoint,
  isSingle: boolean,
  holds: Holds,
): string | undefined {
  const name = `the checkpoint for ${isoOf(drawsAt)}`;
  if (!isSingle) return `is listed in ${name}, but must be in the first one after it was due`;
  if (drawsAt <= beginningOf(due_day)) return `is in ${name}, before it was due`;
  const isCancelled = holds
    .get(order_id)
    ?.some(({ from, until }) => from < drawsAt && until > drawsAt + toleranceMs);
  return isCancelled ? `is in ${name}, but was cancelled then` : undefined;
}
