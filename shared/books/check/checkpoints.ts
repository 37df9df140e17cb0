/** Checks the checkpoints of orders: who closed which orders, and that nobody could know their draws by then. */
import { createHash } from 'node:crypto';
import {
  type ClosedOrders,
  type Closing,
  closedOrders,
  marginMs,
  parseCheckpoint,
} from '../../amoe/checkpoint.ts';
import { isSignedBy, parseNote, signerOf } from '../../note.ts';
import { addDays, dayOf, isoOf } from '../../time.ts';
import type { Book, RecordsHead } from '../book.ts';
import type { Report } from './findings.ts';
import { checkedTimestamp } from './timestamps.ts';

/** A checkpoint that has the right form. */
export type Checkpoint = Closing & ClosedOrders;

type Trusted = { key?: string | undefined; authorities?: readonly string[] | undefined };

const minuteMs = 60_000;

/** Checks the checkpoints in a day's records file. Returns those that have the right form, oldest first. */
export function checkpointsIn(
  { header: { organization_id, day } }: Book,
  head: RecordsHead,
  { key = head.key, authorities }: Trusted,
  report: Report,
): Checkpoint[] {
  const valid: Checkpoint[] = [];
  for (const { note, late, timestamp } of head.checkpoints) {
    const parsed = parseNote(note);
    const closing = parsed && parseCheckpoint(parsed.text);
    const { drawsAt = 0, after = 0 } = closing ?? {};
    const isOfDay = dayOf(drawsAt) === day && drawsAt % minuteMs === 0 && drawsAt > after;
    if (!parsed || closing?.organizationId !== organization_id || !isOfDay) {
      report.finding('checkpoint_invalid', `“${note.split('\n')[0]}” for ${isoOf(drawsAt)} was not checked.`);
      continue;
    }
    const name = `the checkpoint for ${isoOf(drawsAt)}`;
    const signer = signerOf(key);
    if (!signer || !isSignedBy(parsed, signer))
      report.finding('checkpoint_invalid', `The key ${key} has not signed ${name}.`);
    const digest = createHash('sha256').update(note).digest();
    const timed = checkedTimestamp(name, digest, timestamp, authorities, report);
    if (timed && timed.at > drawsAt - marginMs) {
      report.finding('checkpoint_late', `The timestamp of ${name} is from ${isoOf(timed.at)}.`);
    }
    valid.push({ drawsAt, after, late, count: closing.count, digest: closing.digest });
  }
  return valid;
}

/** The hashes of orders that a checkpoint must have and may have. `dueAt` is when the first of them was due. */
export type ToClose = { orders: string[]; maybe: string[]; dueAt: number };
export const nothingToClose = (): ToClose => ({ orders: [], maybe: [], dueAt: Number.POSITIVE_INFINITY });

/**
 * Checks that a checkpoint has exactly the orders that it must close, and perhaps those that it may close. `before` is
 * the given checkpoint before it.
 */
export function checkOrders(
  { drawsAt, after, late, count, digest }: Checkpoint,
  before: Checkpoint | undefined,
  parts: readonly ToClose[],
  days: ReadonlyMap<string, { whole: boolean }>,
  report: Report,
): void {
  const name = `The checkpoint for ${isoOf(drawsAt)}`;
  const minutes = Math.max(...parts.map(({ dueAt }) => drawsAt - dueAt)) / minuteMs;
  if (minutes > 1) report.notice('orders_closed_late', `${name} has orders due ${minutes} minutes earlier.`);
  const [first = ''] = days.keys();
  const isWhole = days.get(first)?.whole === true;
  // The orders due since the checkpoint before are from the days between.
  const since = isWhole && !before ? first : dayOf(before?.drawsAt ?? after);
  for (let day = since; day < dayOf(drawsAt); day = addDays(day, 1)) {
    if (days.has(day)) continue;
    report.notice('orders_unknown', `${name} has orders of ${day}.`);
    return;
  }
  const orders = parts.flatMap((part) => part.orders);
  const maybe = parts.flatMap((part) => part.maybe);
  const known = new Set(orders);
  // A late order can be from a book before the first one given.
  const earlier = isWhole ? [] : late.filter((hash) => !known.has(hash));
  const all = [...orders, ...earlier];
  const possible = [closedOrders(all), ...(maybe.length > 0 ? [closedOrders([...all, ...maybe])] : [])];
  if (possible.some((closed) => closed.count === count && closed.digest === digest)) return;
  report.finding('checkpoint_differs', `${name} has ${count} orders; ${all.length} were due.`);
}
