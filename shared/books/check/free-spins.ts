/** Finds a free spin's order. Checks that the spin is the order's next, and neither early nor cancelled. */
import { timeOfRound } from '../../amoe/drand.ts';
import { addDays, dayOf } from '../../time.ts';
import { closableAt } from '../book.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { Checking, DayToCheck, UserState } from './day.ts';
import type { Report } from './findings.ts';
import { onHold } from './holds.ts';
import { beginningOf, maxSpinDelayMs, settingsBetween, sweepsMs, toleranceMs } from './in-force.ts';
import { type Order, presumedOrder } from './orders.ts';
import { checkPromise, checkTurn } from './spins.ts';

// Maximum number of missing orders to look for in other users' histories.
const maxStrays = 1000;

/** Checks a free spin. Returns the spin's order, or a presumed order if the books lack the order. */
export function checkFreeSpin(
  checking: Checking,
  { orders, replayed: { links } }: UserState,
  leaf: OutcomeLeaf,
  at: number,
): Order {
  const { day, report, strays, place } = checking;
  const { order_id: orderId = '', order_sequence: sequence = 0, secret_day: due } = leaf;
  const order = orders?.get(sequence);
  if (due < day.day) checkOverdue(checking, leaf, order, at);
  if (order?.order_id === orderId) {
    checkTurn(order, leaf, report);
    // Reports a cancellation that is still in force after this spin. It was in force at the spin too, because a due
    // order cannot be cancelled.
    if (day.holds.get(orderId)?.some(({ until }) => until > at + toleranceMs))
      report.finding('cancelled_spin_drawn', `Order ${orderId} was cancelled.`);
    checkPromise(order, leaf, at, day, report);
    return order;
  }
  if (order || sequence >= links.since) {
    const canBeOfOthers = strays.length < maxStrays && !hasOrder(orders, orderId);
    if (canBeOfOthers) strays.push({ orderId, place });
    else {
      const sentence = `The user has no order ${orderId} with sequence number ${sequence}.`;
      report.finding('spin_without_order', sentence);
    }
  } else if (due <= dayOf(at + toleranceMs) && day.gaplessSince <= beginningOf(addDays(due, -1))) {
    // The books of the due day and the day before are given, but neither contains the order.
    report.finding(
      'spin_without_order',
      `Order ${orderId} is missing; it must be of the spin’s due day or the day before.`,
    );
  } else {
    report.notice('order_not_given', `The order is ${orderId}.`);
    checkAlone(leaf, due, at, day, report);
  }
  return presumedOrder(leaf);
}

const hasOrder = (orders: UserState['orders'], id: string): boolean =>
  [...(orders?.values() ?? [])].some(({ order_id }) => order_id === id);

/**
 * Reports a free spin that ran 23 hours after it was due, or whose checkpoint was made when the day's secret could be
 * public. Time on hold does not count.
 */
function checkOverdue({ day, report }: Checking, leaf: OutcomeLeaf, order: Order | undefined, at: number) {
  const { user_id: userId, order_id: orderId = '', secret_day: due, beacon_round: round, beacon_out } = leaf;
  // Without a beacon, it may be the spin of a guest, whose order can come just before the end of its due day.
  const latest = round || beacon_out ? beginningOf(due) : beginningOf(addDays(due, 1));
  const from = order ? Math.max(beginningOf(due), order.placedAt) : latest;
  const { atLeastMs, atMostMs } = onHold(day.holds, day.timeline, { userId, orderId, from, until: at });
  const isLate = (heldMs: number) => at - from - heldMs > maxSpinDelayMs;
  if (isLate(atMostMs) || (round && wasPublic(day, leaf, round))) {
    report.finding('spins_overdue', `The spin was due on ${due}.`);
  } else if (isLate(atLeastMs)) {
    report.notice('settings_unknown', `The spin was due on ${due} and may have been on hold.`);
  }
}

/** Returns whether the checkpoint that fixed a spin's round was made when the secret could be public. */
function wasPublic({ rounds, holds, timeline }: DayToCheck, leaf: OutcomeLeaf, round: number): boolean {
  const signed = rounds[round];
  if (!signed) return false;
  // A book reveals the secret of its day.
  const [from, until] = [closableAt(leaf.secret_day) - sweepsMs, timeOfRound(signed.beacon, round)];
  const query = { userId: '', orderId: leaf.order_id ?? '', from, until };
  // Orders on hold are closed too, except cancelled ones, which are closed once they have been restored.
  const cancelled = onHold(holds, { ...timeline, changes: [] }, query);
  return until - from - cancelled.atMostMs > sweepsMs;
}

/** Checks a free spin whose order is in a missing book. Assumes that the spin was due on the day of its secret. */
function checkAlone(leaf: OutcomeLeaf, due: string, at: number, day: DayToCheck, report: Report) {
  const { beacon_round: round, beacon_out: isOut, prize_table_version: version } = leaf;
  if (!round && !isOut) report.notice('no_beacon', 'The spin names no round, and its order was not given.');
  const beacon = round ? day.rounds[round]?.beacon.chain : isOut && 'unknown';
  checkPromise({ ...presumedOrder(leaf), ...(beacon && { beacon }) }, leaf, at, day, report);
  const from = beginningOf(addDays(due, -1));
  const { all, isKnown } = settingsBetween(day.timeline, from, at + toleranceMs);
  if (all.some(({ prize_table_prizewheel }) => prize_table_prizewheel === version)) return;
  if (isKnown) report.finding('table_not_in_force', `The spin was drawn from table “${version}”.`);
  else report.notice('settings_unknown', 'The spin’s prize table could not be checked.');
}
