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
  marginMs,
  maxLateOrders,
} from './checkpoint.ts';
import { closableInShard } from './open-orders.ts';
import {
  type ClosableOrder,
  checkpointsInShard,
  lastCheckpoint,
  type StoredCheckpoint,
  storeCheckpoint,
  storeClosedOrders,
} from './stored-checkpoints.ts';

const minuteMs = 60_000;
/** If signing and the authorities take until the round, a later round is tried, so many times. */
const maxTries = 3;

/**
 * Closes the due orders in some shards that no checkpoint has. Returns when the latest checkpoint's orders may be
 * drawn, or undefined without any checkpoint. Several calls at once close each order only once.
 */
export async function closeOrders(
  organizationId: string,
  shards: readonly number[],
  now: () => number,
  /** Absent if the stage has no timestamp authority. */
  ask?: Asker,
): Promise<number | undefined> {
  const last = await lastCheckpoint(organizationId);
  const day = dayOf(now());
  const open = [];
  // One shard after another, because parsing many large pages at once would delay each beyond its timeout.
  for (const shard of shards) open.push(await openIn(organizationId, shard, day, last));
  const late = open.flatMap(({ late }) => late).slice(0, maxLateOrders);
  const onTime = open.flatMap(({ onTime }) => onTime);
  if (late.length + onTime.length === 0) return last?.drawsAt;
  const closed = closedOrders([...onTime, ...late]);
  await Promise.all(
    open.map(({ shard, onTime }) => storeClosedOrders(organizationId, shard, closed.digest, onTime)),
  );
  const signed = await sign({ organizationId, after: last?.drawsAt ?? 0, ...closed }, now, ask);
  if (!signed) return last?.drawsAt;
  log.info('orders closed', { organization_id: organizationId, orders: closed.count, late: late.length });
  if (ask && !signed.timestamp) count('UntimedCheckpoints', 1);
  if (await storeCheckpoint(organizationId, { ...signed, late })) return signed.drawsAt;
  // Another run was first. The next sweep closes orders that only this run has seen.
  return (await lastCheckpoint(organizationId))?.drawsAt;
}

/** Returns the hashes of a shard's orders that no checkpoint has closed. */
async function openIn(
  organizationId: string,
  shard: number,
  day: string,
  last: StoredCheckpoint | undefined,
): Promise<{ shard: number; onTime: string[]; late: string[] }> {
  const checkpointOf = checkpointsInShard(organizationId, shard);
  const open = { shard, onTime: [] as string[], late: [] as string[] };
  const isLate = cached(({ due_day }) => last !== undefined && startOfDay(due_day) <= last.drawsAt);
  for (const order of await closableInShard(organizationId, shard, day)) {
    if (!isLate(order)) open.onTime.push(order.hash);
    else if (!(await checkpointOf(order))) open.late.push(order.hash);
  }
  return open;
}

/** Caches a function of an order's due day, because evaluating time zone rules is slow. */
function cached<T>(of: (order: ClosableOrder) => T): (order: ClosableOrder) => T {
  const known = new Map<string, T>();
  return (order) => {
    if (!known.has(order.due_day)) known.set(order.due_day, of(order));
    return known.get(order.due_day)!;
  };
}

/**
 * Signs a checkpoint and asks authorities for its timestamp, early enough before its round. Returns undefined in the
 * last minute of a day, because a checkpoint drawn on the next day would be that day's.
 */
async function sign(
  text: Omit<CheckpointText, 'drawsAt'>,
  now: () => number,
  ask?: Asker,
): Promise<Omit<StoredCheckpoint, 'late'> | undefined> {
  let present = now();
  for (let tries = 0; tries < maxTries; tries++) {
    const drawsAt = Math.max(drawingAfter(present), text.after + minuteMs);
    if (dayOf(drawsAt) !== dayOf(Math.max(present, text.after))) return undefined;
    const { note } = await signNote(checkpointText({ ...text, drawsAt }));
    const digest = hash('sha256', note, 'buffer');
    const given = await ask?.(digest, now());
    // This machine's clock can be slow.
    present = Math.max(now(), given ? checkToken(given.token, digest, [given.root]).at : 0);
    const { after, count, digest: ofOrders } = text;
    if (present <= drawsAt - marginMs)
      return { after, drawsAt, count, digest: ofOrders, note, timestamp: given && inBase64(given) };
  }
  throw new Error('signing a checkpoint took too long');
}

const inBase64 = ({ token, root }: Timestamp) => ({
  token: Buffer.from(token).toString('base64'),
  root: Buffer.from(root).toString('base64'),
});
