/** Checks that each free spin is its order's next spin, is not early, and uses the promised beacon. */
import { roundAt } from '../../amoe/drand.ts';
import { startOfDay } from '../../time.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { SignedRounds } from './attached.ts';
import type { Report } from './findings.ts';
import { toleranceMs } from './in-force.ts';
import type { Order } from './orders.ts';

const starts = new Map<string, number>();
/** Returns the start of a day in epoch milliseconds. Caches the results, because evaluating time zone rules is slow. */
export function beginningOf(day: string): number {
  const start = starts.get(day) ?? startOfDay(day);
  if (starts.size > 1000) starts.clear();
  starts.set(day, start);
  return start;
}

// Milliseconds after its due time from which a spin may run without a beacon round, if the beacon is unavailable.
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

/** Checks that a spin was not early and used the beacon that its order promised. */
export function checkPromise(
  order: Order,
  leaf: OutcomeLeaf,
  at: number,
  { rounds }: { rounds: SignedRounds },
  report: Report,
): void {
  const dueAt = beginningOf(order.due_day);
  if (at < dueAt - toleranceMs) {
    report.finding('spin_early', `The spin ran at ${leaf.timestamp} but was due on ${order.due_day}.`);
  }
  checkBeacon(order, leaf, at - dueAt, rounds, report);
}

function checkBeacon(
  order: Order,
  leaf: OutcomeLeaf,
  afterDueMs: number,
  rounds: SignedRounds,
  report: Report,
) {
  const { beacon_round: round, beacon_out: isOut } = leaf;
  if (order.beacon === undefined) {
    if (round !== undefined || isOut) {
      report.finding('beacon_not_promised', `Order ${order.order_id} promised no public randomness.`);
    }
  } else if (isOut) {
    if (afterDueMs < beaconWaitMs - toleranceMs) {
      report.finding(
        'beacon_not_mixed_in',
        'The spin ran without a round less than an hour after its due time.',
      );
    } else
      report.notice(
        'beacon_out',
        `The spin ran without the round for ${order.due_day} of beacon ${order.beacon}.`,
      );
  } else if (round === undefined) {
    report.finding(
      'beacon_not_mixed_in',
      `Order ${order.order_id} promised a beacon, but the spin names no round.`,
    );
  } else checkRound(round, order.due_day, rounds[round], report, order.beacon);
}

/**
 * Checks that `round` is its beacon's first round on a day. Skips a round without a valid signature, which
 * `checkBeacons` reports.
 */
export function checkRound(
  round: number,
  day: string,
  signed: SignedRounds[string] | undefined,
  report: Report,
  promised?: string,
): void {
  if (!signed) return;
  const { beacon } = signed;
  const first = roundAt(beacon, beginningOf(day));
  if (promised !== undefined && beacon.chain !== promised) {
    report.finding(
      'beacon_round_wrong',
      `The order promised a round of beacon ${promised}, but the round is of ${beacon.chain}.`,
    );
  } else if (round !== first) {
    report.finding('beacon_round_wrong', `The spin used round ${round}; the promised round is ${first}.`);
  }
}
