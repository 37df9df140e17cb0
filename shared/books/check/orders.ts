/**
 * Checks orders of free spins. An order fixes the inputs of its spins before anybody can know their results.
 */
import { addDays, dayOf } from '../../time.ts';
import type { OrderLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';
import { hasWheelTable, type Timeline, toleranceMs, wasInForceAt } from './in-force.ts';

/** The fields of an order for checks of its spins. `next` is the next spin's index, from 0. */
export type Order = Pick<
  OrderLeaf,
  | 'order_id'
  | 'num_of_spins'
  | 'due_day'
  | 'last_hash'
  | 'result_effective_date'
  | 'prize_table_version'
  | 'beacon'
> & { next: number };

/** Returns the fields of a new order that its spins are checked against. The next spin is the first. */
export function newOrder(leaf: OrderLeaf): Order {
  const { order_id, num_of_spins, due_day, last_hash, result_effective_date } = leaf;
  const { prize_table_version, beacon } = leaf;
  return {
    order_id,
    num_of_spins,
    due_day,
    last_hash,
    result_effective_date,
    prize_table_version,
    ...(beacon ? { beacon } : {}),
    next: 0,
  };
}

/** The settings in force over time, with which the prize table and the beacon of an order are compared. */
type Promises = { timeline: Timeline };

/**
 * Checks an order's due day, prize table and beacon. Queued spins are due the next day, whose secret is still
 * unknown.
 */
export function checkOrder(leaf: OrderLeaf, at: number, day: Promises, report: Report): void {
  const today = dayOf(at);
  const isQueued = leaf.run === 'queued';
  const due = isQueued ? [addDays(today, 1)] : [today, dayOf(at - toleranceMs)];
  if (!due.includes(leaf.due_day)) {
    report.finding('due_day_differs', `The order was made on ${today} and due on ${leaf.due_day}.`);
  }
  checkTable(leaf, at, day, report);
  if (isQueued) checkBeacon(leaf, at, day, report);
  else if (leaf.beacon) report.finding('beacon_unasked', `The order names the beacon ${leaf.beacon}.`);
}

function checkTable({ prize_table_version: version }: OrderLeaf, at: number, day: Promises, report: Report) {
  const isOne = wasInForceAt(day.timeline, at, hasWheelTable(version));
  if (isOne === undefined) report.notice('settings_unknown', 'The order’s prize table could not be checked.');
  if (isOne === false)
    report.finding('table_not_in_force', `The order promises draws from table “${version}”.`);
}

function checkBeacon({ beacon = '', num_of_spins }: OrderLeaf, at: number, day: Promises, report: Report) {
  const isOne = wasInForceAt(day.timeline, at, (settings) => settings.beacon === beacon);
  if (isOne === undefined) report.notice('settings_unknown', 'The order’s beacon could not be checked.');
  if (isOne === false) {
    report.finding('beacon_not_mixed_in', 'The order does not promise the beacon that was in force.');
  } else if (!beacon) report.notice('no_beacon', `${num_of_spins} spins were queued.`);
}
