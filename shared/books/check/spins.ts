/** The check of free spins: each is of an order, in its turn, when it is due, with what the order promised. */
import { hash } from 'node:crypto';
import { roundAt } from '../../amoe/drand.ts';
import { startOfDay } from '../../time.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { SignedRounds } from './attached.ts';
import type { Report } from './findings.ts';
import { toleranceMs } from './in-force.ts';
import type { Order } from './orders.ts';

const starts = new Map<string, number>();
/** When a day begins, in epoch milliseconds. Spins are due on few days, and the rules of a zone take a while. */
export function beginningOf(day: string): number {
  const start = starts.get(day) ?? startOfDay(day);
  if (starts.size > 1000) starts.clear();
  starts.set(day, start);
  return start;
}

// The beacon must have been out for so long before a spin may run without it.
const patienceMs = 3_600_000;

/** Checks that a spin is the next one of its order, and goes on to it. */
export function checkTurn(order: Order, leaf: OutcomeLeaf, report: Report): void {
  const { spin_index: index, order_id } = leaf;
  const said = `It is spin ${index} of ${order_id}`;
  if (index >= order.num_of_spins) {
    report.finding('order_too_long', `${said}, which is of ${order.num_of_spins} spins.`);
  } else if (index < order.next) report.finding('spin_twice', `${said}, which had run before.`);
  else {
    if (index > order.next) report.finding('spin_missing', `${said}, and spin ${order.next} had not run.`);
    order.next = index + 1;
  }
}

/** Checks that a spin is drawn with what its order promised, and not before it is due. */
export function checkPromise(
  order: Order,
  leaf: OutcomeLeaf,
  at: number,
  { rounds }: { rounds: SignedRounds },
  report: Report,
): void {
  const dueAt = beginningOf(order.due_day);
  if (at < dueAt - toleranceMs) {
    report.finding('spin_early', `It was drawn at ${leaf.timestamp}, and due on ${order.due_day}.`);
  }
  if (leaf.secret_day !== order.due_day) {
    const said = `It has the secret of ${leaf.secret_day}`;
    report.finding('secret_of_another_day', `${said}, and was due on ${order.due_day}.`);
  }
  if (leaf.prize_table_version !== order.prize_table_version) {
    const { prize_table_version: version } = leaf;
    report.finding('table_not_in_force', `It was drawn from “${version}”, which its order did not promise.`);
  }
  if (leaf.result_effective_date !== order.result_effective_date) {
    const { result_effective_date: date } = leaf;
    report.finding('effective_date_differs', `It is effective ${date}, and that is not what was ordered.`);
  }
  checkBeacon(order, leaf, at - dueAt, rounds, report);
  checkClientSeed(order, leaf, rounds, report);
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
      report.finding('beacon_unasked', `Its order ${order.order_id} promised none.`);
    }
  } else if (isOut) {
    if (afterDueMs < patienceMs - toleranceMs) {
      report.finding('beacon_not_mixed_in', 'It was given up within an hour.');
    } else report.notice('beacon_out', `The round for ${order.due_day} of ${order.beacon} was not mixed in.`);
  } else if (round === undefined) {
    report.finding('beacon_not_mixed_in', `Its order ${order.order_id} promised it.`);
  } else checkRound(round, order.due_day, rounds[round], report, order.beacon);
}

/**
 * Checks that a round is the first one of a day, and of the beacon that was promised, if that is known. That it is not
 * signed is found where all rounds are checked.
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
    report.finding('beacon_round_wrong', `Its order promised a round of the beacon ${promised}.`);
  } else if (round !== first) {
    report.finding('beacon_round_wrong', `It was drawn with round ${round}, and promised was ${first}.`);
  }
}

function checkClientSeed(order: Order, leaf: OutcomeLeaf, rounds: SignedRounds, report: Report) {
  const { beacon_round: round, client_seed } = leaf;
  const randomness = round === undefined ? '' : rounds[round]?.randomness;
  // That the round is not signed is found where all rounds are checked.
  if (randomness === undefined) return;
  if (client_seed !== hash('sha256', `${order.last_hash}\n${randomness}`, 'base64url')) {
    report.finding('client_seed_differs', `It does not follow from ${order.order_id}.`);
  }
}
