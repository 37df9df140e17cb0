/** Rules of checkpoints of orders. A checkpoint fixes due orders before the beacon round that draws them. Pure. */
import { hash } from 'node:crypto';
import { canonicalJson } from '../ids.ts';
import { isDay, isoOf, startOfDay } from '../time.ts';

/** Which orders a checkpoint closes. */
export type Closing = {
  /** The closed orders use the beacon's first round at or after this full minute (epoch milliseconds). */
  drawsAt: number;
  /** The orders that the checkpoint closes one by one (`isListed`), each as `listedOrder`. */
  listed: readonly string[];
};

/** The fields of an order that decide which checkpoint closes it. `hash` is that of the order's record. */
export type ClosableOrder = { due_day: string; hash: string };

/** The number of closed orders, and the SHA-256 of their records' sorted hashes in Base64. */
export type ClosedOrders = { count: number; digest: string };

const minuteMs = 60_000;
/** Maximum difference between a machine's clock and the true time. */
export const maxClockSkewMs = minuteMs;
/** A checkpoint and its timestamp are made at least this long before the round, because clocks differ. */
export const marginMs = 10_000;

/** Maximum listed orders per checkpoint: DynamoDB limits items to 400 KB. The next checkpoint lists the others. */
export const maxListedOrders = 5000;

/** Returns the earliest time from which the orders closed at `now` may be drawn. */
export const drawingAfter = (now: number): number => Math.ceil((now + marginMs) / minuteMs) * minuteMs;

/**
 * An order placed in the last two minutes before it is due can be stored after midnight's checkpoint. In these minutes
 * an order cannot be cancelled, because midnight's checkpoint may close the order before the cancellation is stored.
 */
export const lastMinutesMs = 120_000;

/**
 * Returns whether checkpoints list an order, because midnight's checkpoint may miss the order: it was placed in the
 * last minutes, or cancelled and restored. Other orders belong to the first checkpoint after their due midnight
 * (`dueAt`).
 */
export const isListed = (placedAt: number, dueAt: number, wasCancelled: boolean): boolean =>
  wasCancelled || placedAt >= dueAt - lastMinutesMs;

/** Returns an order's text in the list of a checkpoint. */
export const listedOrder = ({ due_day, hash }: ClosableOrder): string => `${due_day} ${hash}`;

/** Returns a function that finds the checkpoint of an order. `checkpoints` are in order of time. */
export function finderAmong<C extends Closing>(checkpoints: readonly C[]) {
  const listings = new Map<string, C>();
  for (const one of checkpoints)
    for (const text of one.listed) if (!listings.has(text)) listings.set(text, one);
  const byDay = new Map<string, C | undefined>();
  return (order: ClosableOrder, isListed: boolean): C | undefined => {
    if (isListed) return listings.get(listedOrder(order));
    const { due_day } = order;
    if (!byDay.has(due_day)) {
      const dueAt = startOfDay(due_day);
      byDay.set(
        due_day,
        checkpoints.find(({ drawsAt }) => drawsAt > dueAt),
      );
    }
    return byDay.get(due_day);
  };
}

/** Returns the number and the digest of orders. `texts` are the orders' hashes or, for listed orders, lines. */
export const closedOrders = (texts: readonly string[]): ClosedOrders => ({
  count: texts.length,
  digest: hash('sha256', texts.toSorted().join('\n'), 'base64'),
});

/** A checkpoint's text, parsed. `count` and `digest` are of the orders that are not listed. */
export type CheckpointText = ClosedOrders & {
  organizationId: string;
  drawsAt: number;
  /** The earliest due day of the orders that are not listed. The day of `drawsAt` if there are none. */
  from: string;
  /** The digest of the listed orders. */
  listedDigest: string;
};

/** Returns a checkpoint's text, for signing, in the form of a C2SP checkpoint. */
export function checkpointText(text: CheckpointText): string {
  const { organizationId, drawsAt, from, count, digest, listedDigest } = text;
  const line = canonicalJson({ draws_at: isoOf(drawsAt), from, listed: listedDigest });
  return `incentives/${organizationId}/orders\n${count}\n${digest}\n${line}\n`;
}

/** Parses a checkpoint's text. Returns undefined for any text that `checkpointText` would not write. */
export function parseCheckpoint(text: string): CheckpointText | undefined {
  const [origin = '', count = '', digest = '', line = ''] = text.split('\n');
  try {
    const { from, draws_at, listed } = JSON.parse(line);
    const parsed = {
      organizationId: origin.split('/')[1] ?? '',
      drawsAt: Date.parse(draws_at),
      from: String(from),
      count: Number(count),
      digest,
      listedDigest: String(listed),
    };
    // A time before 1970 or after 9999 belongs to no day, and the check of books would throw for such a time.
    const isValid =
      Number.isSafeInteger(parsed.count) && isDay(parsed.from) && isDay(String(draws_at).slice(0, 10));
    return isValid && checkpointText(parsed) === text ? parsed : undefined;
  } catch {
    // The line is not JSON, or its time is not an instant.
    return undefined;
  }
}
