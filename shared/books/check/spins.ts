/** Checks that each free spin is its order's next spin, is not early, and uses the promised beacon. */
import { roundAt, timeOfRound } from '../../amoe/drand.ts';
import { spinsWithStock } from '../../amoe/order-spins.ts';
import type { Stage } from '../../stage.ts';
import { isoOf } from '../../time.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { SignedRounds, UsedRounds } from './attached.ts';
import type { Checkpoint } from './checkpoints.ts';
import { checkpointFinder } from './closed-orders.ts';
import type { Report } from './findings.ts';
import type { Holds } from './holds.ts';
import { beginningOf, toleranceMs } from './in-force.ts';
import type { Order } from './orders.ts';

/** Rounds and checkpoints in the given books. No book since `gaplessSince` is missing. */
type Known = {
  stage: Stage;
  holds: Holds;
  rounds: SignedRounds;
  usedRounds: UsedRounds;
  checkpoints: readonly Checkpoint[];
  gaplessSince: number;
};

// The longest time in milliseconds between an order's checkpoint and its spins that needs no notice.
const maxDelayMs = 2 * 3_600_000;

// Milliseconds after its round's time from which a spin may run without a beacon round, if the beacon is unavailable.
const beaconWaitMs = 3_600_000;

/** Checks that a spin is its order's next, and updates the index of the next spin. */
export function checkTurn(order: Order, leaf: OutcomeLeaf, report: Report): void {
  const { spin_index: index, order_id } = leaf;
  const spinText = `This is spin ${index + 1} of order ${order_id}`;
  if (index >= order.num_of_spins) {
    report.finding('more_spins_than_ordered', `${spinText}, which has only ${order.num_of_spins} spins.`);
  } else if (index < order.next) report.finding('spin_twice', `${spinText}, and this spin ran before.`);
  else {
    if (index > order.next)
      report.finding('spin_missing', `${spinText}, but spin ${order.next + 1} has not run.`);
    order.next = index + 1;
  }
}

/** Checks that a spin was not early and used the promised beacon. */
export function checkPromise(
  order: Order,
  leaf: OutcomeLeaf,
  at: number,
  known: Known,
  report: Report,
): void {
  const dueAt = beginningOf(order.due_day);
  // The service runs a guest's first spins in the transaction that stores the order.
  if (order.run === 'at_once' && leaf.spin_index < spinsWithStock && at !== order.placedAt)
    report.finding('record_not_by_rules', `A guest’s spin ${leaf.spin_index + 1} did not run at once.`);
  if (at < dueAt) {
    report.finding('spin_early', `The spin ran at ${leaf.timestamp} but was due on ${order.due_day}.`);
    return;
  }
  if (order.beacon === undefined) {
    if (leaf.beacon_round !== undefined || leaf.beacon_out) {
      report.finding('beacon_not_promised', `Order ${order.order_id} promised no public randomness.`);
    }
    const from = Math.max(dueAt, order.placedAt);
    if (!order.isPresumed) reportDelay(from, at, report);
    return;
  }
  // Without the order, or the books since it was due, any checkpoint may be the order's.
  const isKnown = !order.isPresumed && known.gaplessSince <= dueAt;
  const checkpoint = isKnown ? checkpointFinder(known)(order) : undefined;
  if (isKnown && !checkpoint) {
    report.finding('order_not_closed', `No checkpoint has order ${order.order_id}.`);
  } else checkBeacon(order, leaf, { at, dueAt, checkpoint, ...known }, report);
  if (checkpoint) reportDelay(checkpoint.drawsAt, at, report);
}

/** Reports a spin that ran hours after its draw could be known, even if a hold delayed it. */
function reportDelay(from: number, at: number, report: Report) {
  if (at - from <= maxDelayMs) return;
  const hours = Math.floor((at - from) / 3_600_000);
  const sentence = `Spins ran ${hours} hours after ${isoOf(from)}, when their draws could first be known.`;
  report.notice('spins_run_late', sentence);
}

type Drawn = Known & { at: number; dueAt: number; checkpoint: Checkpoint | undefined };

function checkBeacon(order: Order, leaf: OutcomeLeaf, drawn: Drawn, report: Report) {
  const { beacon_round: round, beacon_out: isOut } = leaf;
  if (isOut) {
    const from = drawn.checkpoint?.drawsAt ?? drawn.dueAt;
    const { beacon, rounds } = drawn.usedRounds.get(order.beacon!) ?? {};
    if (drawn.at < from + beaconWaitMs - toleranceMs) {
      const sentence = 'The spin ran without a round less than an hour after the round’s time.';
      report.finding('beacon_not_mixed_in', sentence);
    } else if (drawn.checkpoint && beacon && rounds?.has(roundAt(beacon, from))) {
      report.finding('beacon_not_mixed_in', `Other spins used the round for ${isoOf(from)}.`);
    } else {
      const sentence = `Spins ran without the round for ${isoOf(from)} of beacon ${order.beacon}.`;
      report.notice('beacon_out', sentence);
    }
  } else if (round === undefined) {
    report.finding(
      'beacon_not_mixed_in',
      `Order ${order.order_id} promised a beacon, but the spin names no round.`,
    );
  } else checkRound(round, order.beacon!, drawn, report);
}

/** Checks a spin's beacon round. Skips a round without a valid signature, which `checkBeacons` reports. */
function checkRound(round: number, promised: string, drawn: Drawn, report: Report) {
  const { stage, at, rounds, checkpoints, checkpoint, dueAt, gaplessSince } = drawn;
  if (!rounds[round]) return;
  const { beacon } = rounds[round];
  if (beacon.chain !== promised) {
    const sentence = `The order promised a round of beacon ${promised}, but the round is of ${beacon.chain}.`;
    report.finding('beacon_round_wrong', sentence);
    return;
  }
  const time = timeOfRound(beacon, round);
  // The local stage's beacon publishes all rounds in advance.
  if (stage !== 'local' && time > at + toleranceMs)
    report.finding('spin_early', `The spin ran at ${isoOf(at)}, before its round of ${isoOf(time)}.`);
  const possible = checkpoint ? [checkpoint] : checkpoints.filter(({ drawsAt }) => drawsAt > dueAt);
  const expected = possible.map(({ drawsAt }) => roundAt(beacon, drawsAt));
  // The checkpoint is in a book that was not given, so the round cannot be compared.
  if (!checkpoint && time >= dueAt && time < gaplessSince) return;
  if (expected.includes(round)) return;
  const sentence = `The spin used round ${round}; the order’s checkpoint gives ${expected.join(' or ') || 'none'}.`;
  report.finding('beacon_round_wrong', sentence);
}
