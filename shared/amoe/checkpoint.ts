/** Rules of checkpoints of orders. A checkpoint fixes due orders before the beacon round that draws them. Pure. */
import { hash } from 'node:crypto';
import { canonicalJson } from '../ids.ts';
import { isoOf } from '../time.ts';

/** Which orders a checkpoint closes. Times are epoch milliseconds. */
export type Closing = {
  /** The closed orders use the beacon's first round at or after this full minute. */
  drawsAt: number;
  /** `drawsAt` of the organization's previous checkpoint, or 0 for the first one. */
  after: number;
  /** Hashes of the orders that the checkpoint of their due day missed, because they were stored or restored late. */
  late: readonly string[];
};

/** The number of closed orders, and the SHA-256 of their records' sorted hashes in Base64. */
export type ClosedOrders = { count: number; digest: string };

const minuteMs = 60_000;
/** A checkpoint and its timestamp are made at least this long before the round, because clocks differ. */
export const marginMs = 10_000;

/** Late orders per checkpoint, because an item of DynamoDB has at most 400 KB. The next checkpoint has the others. */
export const maxLateOrders = 5000;

/** Returns the earliest time from which the orders closed at `now` may be drawn. */
export const drawingAfter = (now: number): number => Math.ceil((now + marginMs) / minuteMs) * minuteMs;

/**
 * Returns the checkpoint that closes an order, or undefined if none can. An order belongs to the first checkpoint after
 * its due midnight (`dueAt`), unless a later one lists it as late. `checkpoints` are in order of time.
 */
export function checkpointOf<C extends Closing>(
  checkpoints: readonly C[],
  dueAt: number,
  hash: string,
): C | undefined {
  const first = checkpoints.findIndex(({ drawsAt }) => drawsAt >= dueAt);
  if (first < 0) return undefined;
  return checkpoints.find(({ late }, i) => i > first && late.includes(hash)) ?? checkpoints[first];
}

/** Returns the number and the digest of orders, from the hashes of their records. */
export const closedOrders = (hashes: readonly string[]): ClosedOrders => ({
  count: hashes.length,
  digest: hash('sha256', hashes.toSorted().join('\n'), 'base64'),
});

/** A checkpoint's text, parsed. `late` is not in the text, but the digest covers these orders too. */
export type CheckpointText = Omit<Closing, 'late'> & ClosedOrders & { organizationId: string };

/** Returns a checkpoint's text, for signing, in the form of a C2SP checkpoint. */
export function checkpointText({ organizationId, drawsAt, after, count, digest }: CheckpointText): string {
  const line = canonicalJson({ after: isoOf(after), draws_at: isoOf(drawsAt) });
  return `incentives/${organizationId}/orders\n${count}\n${digest}\n${line}\n`;
}

/** Parses a checkpoint's text. Returns undefined for any text that `checkpointText` would not write. */
export function parseCheckpoint(text: string): CheckpointText | undefined {
  const [origin = '', count = '', digest = '', line = ''] = text.split('\n');
  try {
    const { after, draws_at } = JSON.parse(line);
    const parsed = {
      organizationId: origin.split('/')[1] ?? '',
      drawsAt: Date.parse(draws_at),
      after: Date.parse(after),
      count: Number(count),
      digest,
    };
    return Number.isSafeInteger(parsed.count) && checkpointText(parsed) === text ? parsed : undefined;
  } catch {
    // The line is not JSON, or its times are not instants.
    return undefined;
  }
}
