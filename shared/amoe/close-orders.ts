/** Closes due orders under a signed and timestamped checkpoint, before anybody can know the round that draws them. */
import { hash } from 'node:crypto';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { signNote } from '../sign-note.ts';
import { dayOf, startOfDay } from '../time.ts';
import type { Asker } from '../timestamps/ask.ts';
import type { Timestamp } from '../timestamps/timestamp.ts';
import { checkToken } from '../timestamps/token.ts';
import {
  type CheckpointText,
  checkpointText,
  closedOrders,
  drawingAfter,
  listedOrder,
  marginMs,
  maxListedOrders,
} from './checkpoint.ts';
import { closableInShard } from './open-orders.ts';
import {
  checkpointsInShard,
  lastCheckpoint,
  type StoredCheckpoint,
  storeCheckpoint,
  storeClosedOrders,
} from './stored-checkpoints.ts';

const minuteMs = 60_000;
/** Number of rounds to try. If signing and the authorities take too long for one round, a later round is tried. */
const maxTries = 3;

/**
 * Closes the orders in some shards that were due by `day` and that no checkpoint has. Returns when the latest
 * checkpoint's orders may be drawn, or undefined without any checkpoint. Several calls at once close each order only
 * once. Closes nothing once `day` has ended, because the next day's first checkpoint must have all orders due then.
 */
export async function closeOrders(
  organizationId: string,
  shards: readonly number[],
  day: string,
  now: () => number,
  /** Absent if the stage has no timestamp authority. */
  ask?: Asker,
): Promise<number | undefined> {
  const last = await lastCheckpoint(organizationId);
  const open = [];
  // Reads one shard after another, because parsing many large pages at once would delay each beyond its timeout.
  for (const shard of shards) open.push(await openIn(organizationId, shard, day, last));
  const listed = open
    .flatMap(({ listed }) => listed)
    .sort()
    .slice(0, maxListedOrders);
  const others = open.flatMap(({ others }) => others);
  if (listed.length + others.length === 0) return last?.drawsAt;
  const closed = closedOrders(others);
  await Promise.all(
    open.map(({ shard, others }) => storeClosedOrders(organizationId, shard, closed.digest, others)),
  );
  const from = open.flatMap(({ from }) => from).sort()[0] ?? day;
  const { digest: listedDigest } = closedOrders(listed);
  const text = { organizationId, from, ...closed, listedDigest };
  const signed = await sign(text, { day, after: last?.drawsAt ?? 0, now }, ask);
  if (!signed) return last?.drawsAt;
  const { count: orders } = closed;
  log.info('orders closed', { organization_id: organizationId, orders, listed: listed.length });
  if (ask && !signed.timestamp) count('UntimedCheckpoints', 1);
  if (await storeCheckpoint(organizationId, { ...signed, ...closed, listed })) return signed.drawsAt;
  // Another run was first. The next sweep closes orders that only this run has seen.
  return (await lastCheckpoint(organizationId))?.drawsAt;
}

/** A shard's orders that no checkpoint has closed. `from` has the due days of `others`, which are not listed. */
type OpenOrders = { shard: number; others: string[]; from: string[]; listed: string[] };

async function openIn(
  organizationId: string,
  shard: number,
  day: string,
  last: StoredCheckpoint | undefined,
): Promise<OpenOrders> {
  const checkpointOf = checkpointsInShard(organizationId, shard);
  const open: OpenOrders = { shard, others: [], from: [], listed: [] };
  const from = new Set<string>();
  const known = new Map<string, boolean>();
  // Caches the answer for each day, because evaluating time zone rules is slow.
  const isPast = (due: string) => {
    if (!known.has(due)) known.set(due, last !== undefined && startOfDay(due) <= last.drawsAt);
    return known.get(due)!;
  };
  for (const order of await closableInShard(organizationId, shard, day)) {
    if (!order.isListed && !isPast(order.due_day)) {
      open.others.push(order.hash);
      from.add(order.due_day);
    } else if (!(await checkpointOf(order))) open.listed.push(listedOrder(order));
  }
  return { ...open, from: [...from] };
}

/**
 * Signs a checkpoint and asks authorities for its timestamp, early enough before its round. Returns undefined if the
 * round would be after `day`.
 */
async function sign(
  text: Omit<CheckpointText, 'drawsAt'>,
  { day, after, now }: { day: string; after: number; now: () => number },
  ask?: Asker,
): Promise<Pick<StoredCheckpoint, 'after' | 'drawsAt' | 'note' | 'timestamp'> | undefined> {
  let present = now();
  for (let tries = 0; tries < maxTries; tries++) {
    const drawsAt = Math.max(drawingAfter(present), after + minuteMs);
    if (dayOf(drawsAt) !== day) return undefined;
    const { note } = await signNote(checkpointText({ ...text, drawsAt }));
    const digest = hash('sha256', note, 'buffer');
    const given = await ask?.(digest, now());
    // Uses the timestamp's time if it is later, because this machine's clock can be slow.
    present = Math.max(now(), given ? checkToken(given.token, digest, [given.root]).at : 0);
    if (present <= drawsAt - marginMs) return { after, drawsAt, note, timestamp: given && inBase64(given) };
  }
  throw new Error('signing a checkpoint took too long');
}

const inBase64 = ({ token, root }: Timestamp) => ({
  token: Buffer.from(token).toString('base64'),
  root: Buffer.from(root).toString('base64'),
});
