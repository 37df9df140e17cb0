/** Checks the records of a book, one after another. */
import { lastMinutesMs } from '../../amoe/checkpoint.ts';
import { spinsWithStock } from '../../amoe/order-spins.ts';
import { outcomePostings } from '../../games/outcome-postings.ts';
import { timeOfUlid, ulidOf } from '../../ids.ts';
import { addDays, isoOf } from '../../time.ts';
import { idOfLeaf, type Leaf, parseLeaf, type UserLeaf } from '../leaves.ts';
import { addLeaf } from '../sums.ts';
import { adjustedBy } from './adjustments.ts';
import { type Checking, type DayFacts, stateOf } from './day.ts';
import { reportMissing, takeExpected } from './expected-postings.ts';
import type { Code } from './findings.ts';
import { type HoldInterval, isErased, onHold } from './holds.ts';
import { beginningOf, maxSpinDelayMs, toleranceMs } from './in-force.ts';
import { newOrder, type Order } from './orders.ts';
import { replayOutcome } from './outcomes.ts';
import { replayOrder, replayPosting } from './replay.ts';
import { appendRecord, follow } from './user-state.ts';

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
  // Stores an operation without checking it, because the chain of operations was checked before the users' records.
  if (leaf.kind === 'operations') facts.operations.push(text);
  else replayOfUser(checking, leaf, text, at);
  return leaf;
}

function checkPlace({ day, report }: Checking, leaf: Leaf, at: number) {
  if (leaf.organization_id !== day.organizationId) {
    report.finding('record_of_another_organization', `The record belongs to ${leaf.organization_id}.`);
  }
  if (at < day.start || at >= day.end)
    report.finding('record_of_another_day', `The record’s id has the time ${isoOf(at)}.`);
  if (leaf.kind === 'operations' && leaf.date_created !== isoOf(at)) {
    report.finding('not_a_record', `The record’s time differs from the time in its id, ${isoOf(at)}.`);
  }
}

function replayOfUser(checking: Checking, leaf: UserLeaf, text: string, at: number) {
  const { day, report, owing, place } = checking;
  const state = stateOf(checking, leaf.user_id);
  const { replayed } = state;
  const standing = follow(replayed, leaf, text, state.gaps === day.gaps, report);
  checking.isGenuine = standing === 'good';
  state.gaps = day.gaps;
  const expectedPosting = takeExpected(state.expected, leaf, report);
  if (leaf.kind === 'outcomes') {
    const user = replayOutcome(checking, state, leaf, at);
    if (standing !== 'forked') appendRecord(replayed, user, leaf);
    state.expected = outcomePostings(leaf);
  } else if (leaf.kind === 'orders') {
    const user = replayOrder(checking, state, leaf, at);
    if (standing !== 'forked') appendRecord(replayed, user, leaf);
    state.orders ??= new Map();
    state.orders.set(leaf.sequence, newOrder(leaf));
  } else {
    const user = replayPosting(checking, state, leaf, at, expectedPosting);
    if (standing !== 'forked') appendRecord(replayed, user, leaf);
    const adjusted = adjustedBy(leaf, place);
    if (adjusted) checking.facts.adjusted.push(adjusted);
  }
  if (state.expected.length > 0) owing.set(state, place);
  else if (owing.size > 0) owing.delete(state);
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

/** An order with faults, or with due spins that have neither run nor been cancelled. */
export type OpenOrder = {
  orderId: string;
  dueDay: string;
  /** The number of due spins that have not run. */
  spins: number;
  /** Whether the spins are late by `maxSpinDelayMs`, not counting the time on hold, or their user was erased. */
  isOverdue: boolean;
  faults: { code: Code; sentence: string }[];
};

/** Returns the orders that have faults, or whose spins were due by the end of the day `until` and have not run. */
export function openOrders({ users, day }: Checking, until: string): OpenOrder[] {
  const end = beginningOf(addDays(until, 1));
  const open: OpenOrder[] = [];
  for (const [userId, { orders }] of users) {
    for (const order of orders?.values() ?? []) {
      const { order_id: orderId, due_day: dueDay, num_of_spins, next } = order;
      const cancellations = day.holds.get(orderId) ?? [];
      const faults = [...faultsOf(cancellations, userId, order), ...faultsOfGuest(order)];
      const isCancelled = cancellations.at(-1)?.until === Number.POSITIVE_INFINITY;
      const spins = dueDay > until || isCancelled ? 0 : num_of_spins - next;
      if (spins <= 0 && faults.length === 0) continue;
      const query = { userId, orderId, from: Math.max(beginningOf(dueDay), order.placedAt), until: end };
      const { atMostMs } = onHold(day.holds, day.timeline, query);
      // The service erases no user whose spins have not run.
      const isLost = isErased(day.holds, userId);
      const isLate = day.gaplessSince <= query.from && end - query.from - atMostMs >= maxSpinDelayMs;
      const isOverdue = spins > 0 && (isLost || isLate);
      open.push({ orderId, dueDay, spins, isOverdue, faults });
    }
  }
  return open;
}

/** Returns a fault if a guest's first spins, which run in the transaction that stores the order, have not run. */
function faultsOfGuest({ run, order_id, num_of_spins, next }: Order): OpenOrder['faults'] {
  const spins = Math.min(num_of_spins, spinsWithStock);
  if (run === 'queued' || next >= spins) return [];
  const sentence = `Only ${next} of the first ${spins} spins of the guest’s order ${order_id} ran.`;
  return [{ code: 'record_not_by_rules', sentence }];
}

/**
 * Returns the faults of an order's cancellations: a wrong number of spins, a wrong user, or spins that were
 * already due.
 */
function faultsOf(
  cancellations: readonly HoldInterval[],
  userId: string,
  { order_id, num_of_spins, due_day, placedAt }: Order,
): OpenOrder['faults'] {
  return cancellations.flatMap(({ from, spins, userId: of }) => {
    const cancellationText = `${spins} spins of order ${order_id} of user ${of} were cancelled`;
    const faults: OpenOrder['faults'] = [];
    if (spins !== num_of_spins || of !== userId || from < placedAt - toleranceMs) {
      const sentence = `${cancellationText}, which has ${num_of_spins} of user ${userId} since ${isoOf(placedAt)}.`;
      faults.push({ code: 'cancelled_spins_differ', sentence });
    }
    // The service refuses to cancel in the last two minutes before spins are due. The operator's clock can be a minute
    // behind others.
    if (from >= beginningOf(due_day) - lastMinutesMs + toleranceMs)
      faults.push({
        code: 'cancelled_when_due',
        sentence: `${cancellationText} after they were due on ${due_day}.`,
      });
    return faults;
  });
}
