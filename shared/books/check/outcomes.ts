/** Checks an outcome: its draw, settings, budgets, and place among the user's plays or free spins. */
import { addDays, dayOf } from '../../time.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import { noteRound } from './beacon-rounds.ts';
import { checkWins, noteBudgets } from './budgets.ts';
import type { Checking, DayToCheck, UserState } from './day.ts';
import { checkDraw, findSeed } from './draws.ts';
import type { Report } from './findings.ts';
import { checkNotCancelled, onHold } from './holds.ts';
import { checkInForce, checkTableSince, toleranceMs } from './in-force.ts';
import { noteDraw } from './odds.ts';
import { checkOnce, checkSecretDay, countPlay } from './plays.ts';
import { beginningOf, checkDate, checkPromise, checkRound, checkTurn } from './spins.ts';

/** Checks an outcome that was drawn at `at` (epoch milliseconds), and updates the state of its user. */
export function checkOutcome(checking: Checking, state: UserState, leaf: OutcomeLeaf, at: number): void {
  const { day, drawing, facts, report, place } = checking;
  const seed = findSeed(leaf, drawing, report);
  const set = seed && checkDraw(leaf, seed, drawing, report);
  if (set) noteDraw(facts.odds, leaf, set);
  if (leaf.debug) report.notice('debug_plays', `The result was forced to “${leaf.debug}”.`);
  // A forced jackpot does not count toward the user's daily limit of plays.
  if (leaf.play_type === 'regular' && leaf.debug !== 'jackpot') {
    countPlay(state.plays, leaf, at, day.timeline, report);
  }
  checkInForce(leaf, at, day.timeline, report);
  noteBudgets(facts.budgets, leaf, { at, place, timeline: day.timeline }, report);
  checkWins(state.wins, leaf, at, day, report);
  if (leaf.play_type === 'amoe') checkFreeSpin(checking, state, leaf, at);
  else {
    checkSecretDay(leaf, at, report);
    checkDate(leaf, at, report);
    checkOnce(state.plays, leaf, at, report);
  }
}

// If the user's history lacks a spin's order, searches the other users' orders, for at most this many spins.
const maxStrays = 1000;

function checkFreeSpin(checking: Checking, { orders, chain }: UserState, leaf: OutcomeLeaf, at: number) {
  const { day, facts, report, strays, place } = checking;
  const { order_id: orderId = '', order_sequence: sequence = 0, secret_day: due = '' } = leaf;
  if (due && dayOf(at) > addDays(due, 2)) checkOverdue(checking, leaf, due, at);
  const order = orders?.get(sequence);
  if (order?.order_id === orderId) {
    checkTurn(order, leaf, report);
    checkNotCancelled(day.holds, leaf, order.num_of_spins, at, report);
    checkPromise(order, leaf, at, day, report);
    if (order.beacon) noteRound(facts.decided, order, leaf, place);
  } else if (order || sequence >= chain.since) {
    const canBeOfOthers = strays.length < maxStrays && !hasOrder(orders, orderId);
    if (canBeOfOthers) strays.push({ orderId, place });
    else
      report.finding(
        'spin_without_order',
        `The user has no order ${orderId} with sequence number ${sequence}.`,
      );
  } else if (due <= dayOf(at + toleranceMs) && day.runStart <= beginningOf(addDays(due, -1))) {
    // The order is of the due day or the day before; the books of both days lack it.
    report.finding(
      'spin_without_order',
      `Order ${orderId} is missing; it must be of the spin’s due day or the day before.`,
    );
  } else {
    report.notice('order_not_given', `The order is ${orderId}.`);
    checkAlone(leaf, due, at, day, report);
  }
}

/** Reports a free spin that ran more than two days late. Time on hold does not count. */
function checkOverdue({ day, report }: Checking, leaf: OutcomeLeaf, due: string, at: number) {
  const { user_id: userId, order_id: orderId = '' } = leaf;
  const asked = { userId, orderId, from: beginningOf(due), until: at };
  const { known, orMore } = onHold(day.holds, day.timeline, asked);
  const isLate = (heldMs: number) => dayOf(at - heldMs) > addDays(due, 2);
  if (isLate(orMore)) report.finding('spins_overdue', `The spin was due on ${due}.`);
  else if (isLate(known)) {
    report.notice('settings_unknown', `The spin was due on ${due} and may have been on hold.`);
  }
}

/** Checks a free spin whose order is in a missing book. Assumes it was due on its secret's day. */
function checkAlone(leaf: OutcomeLeaf, due: string, at: number, day: DayToCheck, report: Report) {
  const { beacon_round: round } = leaf;
  if (round) checkRound(round, due, day.rounds[round], report);
  else if (!leaf.beacon_out)
    report.notice('no_beacon', 'The spin names no round, and its order was not given.');
  if (due > dayOf(at + toleranceMs)) report.finding('spin_early', `The spin was due on ${due}.`);
  checkTableSince(leaf, beginningOf(addDays(due, -1)), at, day.timeline, report);
}

const hasOrder = (orders: UserState['orders'], id: string): boolean =>
  [...(orders?.values() ?? [])].some(({ order_id }) => order_id === id);
