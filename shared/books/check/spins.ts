/** The check of free spins: each is of an order, in its turn, when it is due, with what the order promised. */
import { hash } from 'node:crypto';
import { type Beacon, roundAt } from '../../amoe/drand.ts';
import { addDays, dayOf, startOfDay } from '../../time.ts';
import type { OrderLeaf, OutcomeLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';
import { toleranceMs } from './in-force.ts';

/** An order as far as its spins have run: `next` is the index of the next one. */
export type Order = Pick<OrderLeaf, 'order_id' | 'num_of_spins' | 'due_day' | 'last_hash' | 'beacon'> & {
  next: number;
};

/** The public randomness of a day's free spins: its source, and the randomness in hex of the rounds that are signed. */
export type Randomness = { beacon: Beacon | null; ofRound: Readonly<Record<string, string>> };

const starts = new Map<string, number>();
/** When a day begins, in epoch milliseconds. Spins are due on few days, and the rules of a zone take a while. */
function beginningOf(day: string): number {
  const start = starts.get(day) ?? startOfDay(day);
  if (starts.size > 1000) starts.clear();
  starts.set(day, start);
  return start;
}

// The beacon must have been out for so long before a spin may run without it.
const patienceMs = 3_600_000;

/** What of an order its spins are checked against. */
export const newOrder = ({ order_id, num_of_spins, due_day, last_hash, beacon }: OrderLeaf): Order => ({
  order_id,
  num_of_spins,
  due_day,
  last_hash,
  ...(beacon ? { beacon } : {}),
  next: 0,
});

/**
 * Checks an order itself: that it is due before anybody can know what it comes to, and that it promises the day's beacon
 * (the hash of its chain; null if there is none).
 */
export function checkOrder(leaf: OrderLeaf, at: number, beacon: string | null, report: Report): void {
  const today = dayOf(at);
  const isQueued = leaf.run === 'queued';
  const due = isQueued ? [addDays(today, 1)] : [today, dayOf(at - toleranceMs)];
  if (!due.includes(leaf.due_day)) {
    report.finding('due_day_differs', `It is due on ${leaf.due_day}, and was ordered on ${today}.`);
  }
  if (!isQueued) {
    if (leaf.beacon) report.finding('beacon_unasked', `The order names the beacon ${leaf.beacon}.`);
  } else if (beacon !== null && leaf.beacon !== beacon) {
    report.finding('beacon_not_mixed_in', 'The order does not promise the beacon of its day.');
  } else if (!leaf.beacon) report.notice('no_beacon', `${leaf.num_of_spins} spins were queued.`);
}

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
  randomness: Randomness,
  report: Report,
): void {
  const dueAt = beginningOf(order.due_day);
  if (at < dueAt - toleranceMs) {
    report.finding('spin_early', `It was drawn at ${leaf.timestamp}, and due on ${order.due_day}.`);
  }
  if (leaf.secret_day !== order.due_day) {
    const { secret_day, due_day } = { ...order, ...leaf };
    report.finding('secret_of_another_day', `It has the secret of ${secret_day}, and was due on ${due_day}.`);
  }
  checkBeacon(order, leaf, at - dueAt, randomness, report);
  checkClientSeed(order, leaf, randomness, report);
}

function checkBeacon(
  order: Order,
  leaf: OutcomeLeaf,
  afterDueMs: number,
  { beacon }: Randomness,
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
    } else report.notice('beacon_out', `The randomness for ${order.due_day} was not mixed in.`);
  } else if (round === undefined) {
    report.finding('beacon_not_mixed_in', `Its order ${order.order_id} promised it.`);
  } else if (beacon?.chain !== order.beacon) {
    report.finding('beacon_round_wrong', `Its order promised a round of the beacon ${order.beacon}.`);
  } else checkRound(round, order.due_day, beacon, report);
}

/** Checks that a round is the first one of a day. */
export function checkRound(round: number, day: string, beacon: Beacon, report: Report): void {
  const promised = roundAt(beacon, beginningOf(day));
  if (round !== promised) {
    report.finding('beacon_round_wrong', `It was drawn with round ${round}, and promised was ${promised}.`);
  }
}

function checkClientSeed(order: Order, leaf: OutcomeLeaf, { ofRound }: Randomness, report: Report) {
  const { beacon_round: round, client_seed } = leaf;
  const randomness = round === undefined ? '' : ofRound[round];
  // That the round is not signed is found where all rounds are checked.
  if (randomness === undefined) return;
  if (client_seed !== hash('sha256', `${order.last_hash}\n${randomness}`, 'base64url')) {
    report.finding('client_seed_differs', `It does not follow from ${order.order_id}.`);
  }
}
