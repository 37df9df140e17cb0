/** Reads and stores checkpoints of orders, each with lists of the orders that it closes. */
import { cachedPromises } from '../promises.ts';
import { checkpointKey, checkpointsOf, closedOrdersIn, closedOrdersKey } from '../table/checkpoint-keys.ts';
import { type Item, put } from '../table/client.ts';
import { between } from '../table/keys.ts';
import { query, readRange } from '../table/ranges.ts';
import { addDays, isoOf, startOfDay } from '../time.ts';
import { type ClosableOrder, type ClosedOrders, type Closing, listedOrder } from './checkpoint.ts';

/**
 * A checkpoint as stored. `after` is `drawsAt` of the organization's previous checkpoint, or 0 for the first one.
 * `note` is the signed text. Token and root of the timestamp are in Base64.
 */
export type StoredCheckpoint = Closing &
  ClosedOrders & { after: number; note: string; timestamp?: { token: string; root: string } | undefined };

// All reads are consistent: with a stale read, a closed order would look open and be closed a second time.
const consistent = true;
const newest = { limit: 1, newestFirst: true, consistent };

/** Returns an organization's last checkpoint, or undefined before the first one. */
export async function lastCheckpoint(organizationId: string): Promise<StoredCheckpoint | undefined> {
  const { items } = await query(checkpointsOf(organizationId), newest);
  return items.map(checkpointIn)[0];
}

/** Returns an organization's checkpoints whose orders are drawn from `from` until before `to` (epoch milliseconds). */
export async function checkpointsBetween(
  organizationId: string,
  from: number,
  to: number,
): Promise<StoredCheckpoint[]> {
  const first = await firstSince(organizationId, from);
  const later = first
    ? await readRange(between(checkpointsOf(organizationId), isoOf(first.drawsAt)), { consistent })
    : [];
  return first ? [first, ...later.map(checkpointIn)].filter(({ drawsAt }) => drawsAt < to) : [];
}

/** Returns an organization's checkpoints whose orders are drawn on a day, oldest first. */
export function checkpointsOn(organizationId: string, day: string): Promise<StoredCheckpoint[]> {
  return checkpointsBetween(organizationId, startOfDay(day), startOfDay(addDays(day, 1)));
}

/** Returns the first checkpoint whose orders are drawn at or after a time, or undefined if there is none yet. */
async function firstSince(organizationId: string, time: number): Promise<StoredCheckpoint | undefined> {
  // A checkpoint's key is the time of the checkpoint before it, so the first checkpoint since `time` has the last key
  // before `time`.
  const before = between(checkpointsOf(organizationId), '0', isoOf(time - 1));
  const [found] = (await query(before, newest)).items.map(checkpointIn);
  return found && found.drawsAt >= time ? found : undefined;
}

const checkpointIn = ({ sk, draws_at, ...item }: Item): StoredCheckpoint =>
  ({ ...item, after: Date.parse(String(sk)), drawsAt: Date.parse(String(draws_at)) }) as StoredCheckpoint;

/** Stores a checkpoint. If another one already follows the same checkpoint, returns false and changes nothing. */
export function storeCheckpoint(
  organizationId: string,
  { after, drawsAt, count, digest, listed, note, timestamp }: StoredCheckpoint,
): Promise<boolean> {
  const key = checkpointKey(organizationId, isoOf(after));
  const item = { ...key, draws_at: isoOf(drawsAt), count, digest, listed, note, timestamp };
  return put(item, { ConditionExpression: 'attribute_not_exists(pk)' });
}

/** Maximum orders per item of a list, because DynamoDB limits items to 400 KB. */
const ordersPerItem = 35_000;
/** Number of a hash's first characters that a list stores: 60 bits, which two orders of a shard hardly ever share. */
const prefixLength = 10;

/** Stores the hashes of a shard's orders that the checkpoint with `digest` closes, except those in its `listed`. */
export async function storeClosedOrders(
  organizationId: string,
  shard: number,
  digest: string,
  orders: readonly string[],
): Promise<void> {
  // Sorts the hashes, so that overlapping runs write equal parts.
  const sorted = orders.toSorted();
  for (let start = 0; start < sorted.length; start += ordersPerItem) {
    const key = closedOrdersKey(organizationId, shard, digest, start / ordersPerItem);
    const part = sorted.slice(start, start + ordersPerItem).map((hash) => hash.slice(0, prefixLength));
    await put({ ...key, hashes: part.join('') });
  }
}

/** Finds the checkpoint of an order, or undefined if the order is not closed. */
export type CheckpointFinder = (order: ClosableOrder) => Promise<StoredCheckpoint | undefined>;

/** Returns a finder for a shard's orders. The finder reads the checkpoints and the list of each due day once. */
export function checkpointsInShard(organizationId: string, shard: number): CheckpointFinder {
  type Day = {
    first: StoredCheckpoint | undefined;
    closed: Set<string>;
    listed: Map<string, StoredCheckpoint>;
  };
  const days = cachedPromises<Day>(1000);
  const read = async (day: string): Promise<Day> => {
    const checkpoints = await checkpointsBetween(organizationId, startOfDay(day), Infinity);
    const [first] = checkpoints;
    const listed = checkpoints.flatMap((one) => one.listed.map((text) => [text, one] as const));
    const closed = first ? await closedBy(organizationId, shard, first) : new Set<string>();
    return { first, closed, listed: new Map(listed.toReversed()) };
  };
  return async (order) => {
    const { first, closed, listed } = await days(order.due_day, () => read(order.due_day));
    return closed.has(order.hash.slice(0, prefixLength)) ? first : listed.get(listedOrder(order));
  };
}

async function closedBy(
  organizationId: string,
  shard: number,
  { digest }: StoredCheckpoint,
): Promise<Set<string>> {
  const closed = new Set<string>();
  for (const { hashes } of await readRange(closedOrdersIn(organizationId, shard, digest), { consistent })) {
    const text = String(hashes);
    for (let at = 0; at < text.length; at += prefixLength) closed.add(text.slice(at, at + prefixLength));
  }
  return closed;
}
