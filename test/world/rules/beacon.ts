/** Rules of the stored drand beacon rounds and of the queued spins that use these rounds. */

import type { StoredItem } from '../journal.ts';
import { beacon, servedRound } from '../relays.ts';
import { dayAt, startOf } from './days-and-ulids.ts';
import type { StepRule } from './rule.ts';
import { itemOf, outcomesOf, trackOrders } from './step.ts';

const hourMs = 3_600_000;

/** Returns the chain hash and number of a stored beacon round, and the round's time in epoch milliseconds. */
export function roundIn({ pk }: StoredItem) {
  const [, chain, number] = pk.split('#');
  const round = Number(number);
  return { chain, round, time: (beacon.genesis_time + (round - 1) * beacon.period) * 1000 };
}

/** A stored beacon round has the beacon's signature, or `out` if the round was unavailable for an hour. */
export const validRounds: StepRule = {
  rule: 'a round has the beacon’s signature, or is out after an hour',
  start:
    (report, { clockErrorMs }) =>
    (step) => {
      for (const { after } of step.of('round')) {
        if (!after) continue;
        const { chain, round, time } = roundIn(after);
        const { signature, out } = after;
        if (chain !== beacon.chain || startOf(dayAt(time)) !== time)
          report(`${after.pk} is not the round of a day`);
        if (signature === undefined ? !out : out !== undefined || signature !== servedRound(round).signature)
          report(`${after.pk} is ${JSON.stringify(after)}`);
        if (out && step.at < time + hourMs - clockErrorMs)
          report(`${after.pk} is marked as out too early, at ${step.at}`);
      }
    },
};

/** A queued spin runs only after the due day's beacon round is stored. Guests' spins use no round. */
export const spinsUseRound: StepRule = {
  rule: 'queued spins use the beacon’s round',
  start: (report) => {
    const rounds = new Map<number, StoredItem>();
    const { find, see } = trackOrders();
    return (step) => {
      see(step);
      for (const change of step.of('round'))
        if (change.after) rounds.set(roundIn(itemOf(change)).time, change.after);
      for (const { outcome: spin } of outcomesOf(step)) {
        const order = find(spin.order_id);
        if (!order) continue;
        const item = order.beacon && rounds.get(startOf(order.due_day));
        const round = item?.signature && roundIn(item).round;
        if (order.beacon && !item) report(`${order.order_id} of ${order.due_day} runs without a round`);
        if (spin.beacon_round !== round || spin.beacon_out !== item?.out)
          report(
            `${spin.id} uses the round ${spin.beacon_round ?? spin.beacon_out}, not ${round ?? item?.out}`,
          );
      }
    };
  },
};

export const beaconRules = [validRounds, spinsUseRound];
