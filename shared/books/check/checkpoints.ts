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
import { type Book, checkpointsDigest, type RecordsHead } from '../book.ts';
import type { Report } from './findings.ts';
import { beginningOf, maxSpinDelayMs } from './in-force.ts';
import { authorityIn, checkedTimestamp } from './timestamps.ts';

/**
 * A checkpoint that has the right form. `count`, `digest` and the earliest due day (`from`) are of the orders that are
 * not listed.
 */
export type Checkpoint = Closing & ClosedOrders & { from: string };

/** The orders that a checkpoint must have without listing them: their hashes and their earliest due day. */
export type Others = { hashes: string[]; from: string };

type Trusted = { key?: string | undefined; authorities?: readonly string[] | undefined };

const minuteMs = 60_000;
/**
 * The longest time from a checkpoint's timestamp to its round. An authority's clock may differ by five minutes. With
 * older timestamps, operators could collect checkpoints of invented orders for days, and use the best one.
 */
const maxAgeMs = 10 * minuteMs;

/**
 * Checks the checkpoints in a day's records file. Adds those that have the right form to `all`, which has those of
 * earlier days in order of time, and the authorities of their timestamps to `named`.
 */
export function checkpointsIn(
  { header: { organization_id, day, checkpoints } }: Book,
  head: RecordsHead,
  { key = head.key, authorities }: Trusted,
  { all, named }: { all: Checkpoint[]; named: Set<string> },
  report: Report,
): void {
  if (checkpointsDigest(head.checkpoints) !== checkpoints)
    report.finding('checkpoint_differs', 'The book was signed with other checkpoints of orders.');
  for (const { note, listed, timestamp } of head.checkpoints) {
    const parsed = parseNote(note);
    const closing = parsed && parseCheckpoint(parsed.text);
    const { drawsAt = 0, from = '', count = 0, digest = '', listedDigest } = closing ?? {};
    // The service closes orders once their due day has begun, so no round of midnight draws them (`drawingAfter`). An
    // empty checkpoint with an older `from` could pass for one that closed orders of books that were not given.
    const isOfDay = dayOf(drawsAt) === day && drawsAt > beginningOf(day) && from <= day;
    const hasValidFrom = count > 0 || from === day;
    const isNext = drawsAt % minuteMs === 0 && drawsAt > (all.at(-1)?.drawsAt ?? 0);
    const isSame = closedOrders(listed).digest === listedDigest;
    if (
      !parsed ||
      closing?.organizationId !== organization_id ||
      !isOfDay ||
      !hasValidFrom ||
      !isNext ||
      !isSame
    ) {
      report.finding('checkpoint_invalid', `“${note.split('\n')[0]}” for ${isoOf(drawsAt)} was not checked.`);
      continue;
    }
    const name = `the checkpoint for ${isoOf(drawsAt)}`;
    const signer = signerOf(key);
    if (!signer || !isSignedBy(parsed, signer))
      report.finding('checkpoint_invalid', `The key ${key} has not signed ${name}.`);
    const hash = createHash('sha256').update(note).digest();
    const timed = checkedTimestamp(name, hash, timestamp, authorities, report);
    if (timed) named.add(authorityIn(timed.verdict));
    if (timed && timed.at > drawsAt - marginMs) {
      report.finding('checkpoint_late', `The timestamp of ${name} is from ${isoOf(timed.at)}.`);
    }
    if (timed && timed.at < drawsAt - maxAgeMs) {
      report.finding('timestamp_early', `The timestamp of ${name} is from ${isoOf(timed.at)}.`);
    }
    const checkpoint = { drawsAt, from, count, digest, listed };
    reportDelays(checkpoint, report);
    all.push(checkpoint);
  }
}

/** Reports orders that were not drawn within a minute after midnight, by due day. */
function reportDelays({ drawsAt, from, count, listed }: Checkpoint, report: Report) {
  const counts = new Map(count > 0 ? [[from, count]] : []);
  for (const text of listed) {
    const due = dueDayIn(text);
    counts.set(due, (counts.get(due) ?? 0) + 1);
  }
  for (const [due, orders] of counts) {
    const minutes = Math.floor((drawsAt - beginningOf(due)) / minuteMs);
    const sentence = `${orders} orders due on ${due} or later were drawn ${minutes} minutes after that midnight.`;
    if (minutes > 1) report.notice('orders_closed_late', sentence);
  }
}

const dueDayIn = (listedOrder: string) => listedOrder.split(' ')[0]!;

/** Facts from the given books that decide which of a checkpoint's orders must be in these books. */
type Given = { gaplessSince: number; whole: boolean };

/**
 * Checks that a checkpoint has exactly the orders that it must have. `others` has, for each part of the users, the
 * orders that it must have without listing them. `known` has all listed orders that exist in the given books.
 */
export function checkOrders(
  { drawsAt, from, count, digest, listed }: Checkpoint,
  { others, known }: { others: readonly Others[]; known: ReadonlySet<string> },
  { gaplessSince, whole }: Given,
  report: Report,
): void {
  const name = `The checkpoint for ${isoOf(drawsAt)}`;
  // Orders are placed on the day before they are due.
  const isGiven = (due: string) => whole || beginningOf(addDays(due, -1)) >= gaplessSince;
  for (const text of listed) {
    if (known.has(text)) continue;
    if (isGiven(dueDayIn(text)))
      report.finding('checkpoint_differs', `${name} lists an order that does not exist: ${text}.`);
    else report.notice('orders_unknown', `${name} lists an order due on ${dueDayIn(text)}.`);
  }
  // Listed orders can be restored at any time, so `checkFreeSpin` judges their delay.
  if (count > 0 && drawsAt - beginningOf(from) > maxSpinDelayMs)
    report.finding('spins_overdue', `${name} has orders that were due on ${from}.`);
  if (!isGiven(from)) {
    report.notice('orders_unknown', `${name} has orders due on ${from}.`);
    return;
  }
  const closed = closedOrders(others.flatMap(({ hashes }) => hashes));
  if (others.every((part) => part.from >= from) && closed.count === count && closed.digest === digest) return;
  const sentence = `${name} has ${count} orders due since ${from}; ${closed.count} were due.`;
  report.finding('checkpoint_differs', sentence);
}
