/** The check of an outcome: all that it says, against what is known of its user and of its day. */
import { addDays, dayOf } from '../../time.ts';
import { isOfBefore, type OutcomeLeaf } from '../leaves.ts';
import { noteCash, noteUnnumbered } from './cash.ts';
import type { Checking, DayToCheck, UserState } from './day.ts';
import { checkDraw, checkSeed } from './draws.ts';
import type { Report } from './findings.ts';
import { checkInForce, isTable, toleranceMs, wasInForce } from './in-force.ts';
import { noteDraw } from './odds.ts';
import { checkOnce, checkSecretDay, countPlay } from './plays.ts';
import { beginningOf, checkPromise, checkRound, checkTurn } from './spins.ts';

/** Checks an outcome that happened at a time in epoch milliseconds. */
export function checkOutcome(checking: Checking, state: UserState, leaf: OutcomeLeaf, at: number): void {
  const { day, drawing, facts, report, place } = checking;
  const seed = checkSeed(leaf, drawing, report);
  const set = seed && checkDraw(leaf, seed, drawing, report);
  if (set) noteDraw(facts.odds, leaf, set);
  if (leaf.debug) report.notice('debug_plays', `It was forced to “${leaf.debug}”.`);
  // A jackpot that is forced is out of its user's limit of plays.
  if (leaf.play_type === 'regular' && leaf.debug !== 'jackpot') {
    countPlay(state.plays, leaf, at, day.timeline, report);
  }
  if (isOfBefore(leaf)) {
    noteUnnumbered(facts.cash, leaf, at);
    if (day.promised) report.finding('promise_dropped', 'Its seed and its cash cannot be checked.');
    else report.notice('draw_of_before', 'Its seed and its cash were not checked.');
    return;
  }
  checkInForce(leaf, at, day.timeline, report);
  noteCash(facts.cash, leaf, at, place, report);
  if (leaf.play_type === 'amoe') checkFreeSpin(checking, state, leaf, at);
  else {
    checkSecretDay(leaf, at, report);
    checkOnce(state.plays, leaf, at, report);
  }
}

// So many are looked for among other users' orders, which tells who lost them; the others are of nobody's.
const mostStrays = 1000;

function checkFreeSpin(checking: Checking, { orders, chain }: UserState, leaf: OutcomeLeaf, at: number) {
  const { day, report, strays, place } = checking;
  const { order_id: orderId = '', order_sequence: sequence = 0, secret_day } = leaf;
  const order = orders?.get(sequence);
  if (order?.order_id === orderId) {
    checkTurn(order, leaf, report);
    checkPromise(order, leaf, at, day.rounds, report);
  } else if (order || sequence >= chain.since) {
    const canBeOfOthers = strays.length < mostStrays && !hasOrder(orders, orderId);
    if (canBeOfOthers) strays.push({ orderId, place });
    else report.finding('spin_without_order', `The user has no order ${orderId} with number ${sequence}.`);
  } else {
    report.notice('order_not_given', `It is of ${orderId}.`);
    checkAlone(leaf, secret_day ?? '', at, day, report);
  }
}

/** Checks a free spin without its order: it is due on the day of its secret, and was ordered on the day before. */
function checkAlone(leaf: OutcomeLeaf, due: string, at: number, day: DayToCheck, report: Report) {
  const { beacon_round: round, prize_table_version: version } = leaf;
  if (round) checkRound(round, due, day.rounds[round], report);
  else if (!leaf.beacon_out) report.notice('no_beacon', 'It names no round, and its order was not given.');
  if (due > dayOf(at + toleranceMs)) report.finding('spin_early', `It was due on ${due}.`);
  const ordered = beginningOf(addDays(due, -1));
  const isOne = wasInForce(day.timeline, ordered, at + toleranceMs, (settings) =>
    isTable(version, settings.prize_table_prizewheel),
  );
  if (isOne === undefined) report.notice('settings_unknown', 'Its table could not be checked.');
  if (isOne === false) report.finding('table_not_in_force', `It was drawn from “${version}”.`);
}

const hasOrder = (orders: UserState['orders'], id: string): boolean =>
  [...(orders?.values() ?? [])].some(({ order_id }) => order_id === id);
