/** Checks the records of a book, one after another. */
import { outcomePostings } from '../../games/outcome-postings.ts';
import { timeOfUlid, ulidOf } from '../../ids.ts';
import { addDays, dayOf, isoOf } from '../../time.ts';
import { adjustmentDescription } from '../../vocabulary.ts';
import {
  idOfLeaf,
  type Leaf,
  type OrderLeaf,
  type PostingLeaf,
  parseLeaf,
  type UserLeaf,
} from '../leaves.ts';
import { addLeaf } from '../sums.ts';
import { adjustedBy } from './adjustments.ts';
import { followChain } from './chain.ts';
import { type Checking, type DayFacts, stateOf, type UserState } from './day.ts';
import { checkPosting, reportMissing } from './expected-postings.ts';
import { cancelledNow, onHold } from './holds.ts';
import { checkOrder, newOrder } from './orders.ts';
import { checkOutcome } from './outcomes.ts';
import { beginningOf, checkDate } from './spins.ts';

/** Checks one line of a day's records file. Returns undefined if the line is not a valid record. */
export function checkLine(checking: Checking, text: string, line: number): Leaf | undefined {
  const { report, facts, day } = checking;
  const leaf = parseLeaf(text);
  const record = leaf ? idOfLeaf(leaf) : '';
  checking.place = { day: day.day, record, line };
  if (!leaf) {
    report.finding('not_a_record', 'The line is not a valid record in canonical JSON.');
    return undefined;
  }
  const at = timeOfUlid(ulidOf(record));
  checkPlace(checking, leaf, at);
  addLeaf(facts.summed, leaf);
  // Only stores the operation. The chain of operations was checked before the users' records.
  if (leaf.kind === 'operations') facts.operations.push(text);
  else checkOfUser(checking, leaf, text, at);
  return leaf;
}

function checkPlace({ day, report }: Checking, leaf: Leaf, at: number) {
  if (leaf.organization_id !== day.organizationId) {
    report.finding('record_of_another_organization', `The record belongs to ${leaf.organization_id}.`);
  }
  const time = isoOf(at);
  if (at < day.start || at >= day.end)
    report.finding('record_of_another_day', `The record’s id has the time ${time}.`);
  if (leaf.date_created !== time || (leaf.kind === 'outcomes' && leaf.timestamp !== time)) {
    report.finding('not_a_record', `The record’s times differ from the time in its id, ${time}.`);
  }
}

function checkOfUser(checking: Checking, leaf: UserLeaf, text: string, at: number) {
  const { day, report, owing } = checking;
  const state = stateOf(checking, leaf.user_id);
  followChain(state.chain, leaf, text, state.run === day.run, report);
  state.run = day.run;
  checkPosting(state.expected, leaf, report);
  if (leaf.kind === 'outcomes') {
    checkOutcome(checking, state, leaf, at);
    state.expected = outcomePostings(leaf);
  } else if (leaf.kind === 'orders') noteOrder(checking, state, leaf, at);
  else noteAdjustment(checking, leaf, at);
  if (state.expected.length > 0) owing.set(state, checking.place);
  else if (owing.size > 0) owing.delete(state);
}

function noteOrder({ day, report }: Checking, state: UserState, leaf: OrderLeaf, at: number) {
  checkOrder(leaf, at, day, report);
  state.orders ??= new Map();
  state.orders.set(leaf.sequence, newOrder(leaf));
}

/**
 * Stores an adjusting transaction in the day's facts. After the last day, `checkAdjustments` compares it with
 * its operation.
 */
function noteAdjustment({ facts, place, report }: Checking, leaf: PostingLeaf, at: number) {
  const adjusted = adjustedBy(leaf, place);
  if (!adjusted) return;
  facts.adjusted.push(adjusted);
  checkDate(leaf, at, report);
  if (leaf.description !== adjustmentDescription) {
    report.finding('adjusted_by_nobody', `The adjustment is described as “${leaf.description}”.`);
  }
}

/** Ends the check of a day. Reports missing transactions, and returns the facts found in the records. */
export function endDay(checking: Checking): DayFacts {
  for (const [{ expected }, place] of checking.owing) {
    checking.place = place;
    for (const missing of expected.splice(0)) reportMissing(missing, checking.report);
  }
  checking.owing.clear();
  return checking.facts;
}

/** Returns which of the given ids belong to orders of the checked users. */
export function ordersAmong({ users }: Checking, ids: ReadonlySet<string>): string[] {
  const orders = [...users.values()].flatMap(({ orders }) => (orders ? [...orders.values()] : []));
  return orders.map(({ order_id }) => order_id).filter((id) => ids.has(id));
}

/** An order with free spins that are due, have not run, and are not canceled. */
export type OpenOrder = {
  orderId: string;
  dueDay: string;
  spins: number;
  /** Whether the spins are at least two days late, not counting the time on hold. */
  isOverdue: boolean;
  /** Whether spins of the order were canceled. An order with canceled spins should have no open spins. */
  isCancelled: boolean;
};

/** Returns the orders that are due by the end of a day and still have spins to run. */
export function openOrders({ users, day }: Checking, until: string): OpenOrder[] {
  const end = beginningOf(addDays(until, 1));
  const open: OpenOrder[] = [];
  for (const [userId, { orders }] of users) {
    for (const { order_id: orderId, due_day: dueDay, num_of_spins, next } of orders?.values() ?? []) {
      const cancelled = cancelledNow(day.holds, userId, orderId);
      const spins = num_of_spins - next - (cancelled ?? 0);
      if (dueDay > until || spins <= 0) continue;
      const asked = { userId, orderId, from: beginningOf(dueDay), until: end };
      const { orMore } = onHold(day.holds, day.timeline, asked);
      const isOverdue = dayOf(end - 1 - orMore) >= addDays(dueDay, 2);
      open.push({ orderId, dueDay, spins, isOverdue, isCancelled: cancelled !== undefined });
    }
  }
  return open;
}
