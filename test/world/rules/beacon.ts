/** Rules of the beacon: what its rounds come to, and that queued spins wait for them. */

import type { StoredItem } from '../journal.ts';
import { beacon, servedRound } from '../relays.ts';
import type { StepRule } from './rule.ts';
import { itemOf, outcomesOf, watchOrders } from './step.ts';
import { dayAt, startOf } from './true-time.ts';

const hourMs = 3_600_000;

/** The round that an item is about, and its time. */
export function roundIn({ pk }: StoredItem) {
  const [, chain, number] = pk.split('#');
  const round = Number(number);
  return { chain, round, time: (beacon.genesis_time + (round - 1) * beacon.period) * 1000 };
}

/** A round is one at a midnight in New York. It is what the beacon signed, or out, but for an hour it is not. */
export const decided: StepRule = {
  rule: 'a round is what the beacon signed, or out an hour later',
  start:
    (say, { clockErrorMs }) =>
    (step) => {
      for (const { after } of step.of('round')) {
        if (!after) continue;
        const { chain, round, time } = roundIn(after);
        const { signature, out } = after;
        if (chain !== beacon.chain || startOf(dayAt(time)) !== time) say(`${after.pk} is no day's`);
        if (signature === undefined ? !out : out !== undefined || signature !== servedRound(round).signature)
          say(`${after.pk} is ${JSON.stringify(after)}`);
        if (out && step.at < time + hourMs - clockErrorMs) say(`${after.pk} is out at ${step.at}`);
      }
    },
};

/**
 * No queued spin runs before it is decided what the round of its due day came to, and each says that it mixed in just
 * that. A guest's spins wait for none.
 */
export const awaited: StepRule = {
  rule: 'queued spins wait for the beacon, and mix it in',
  start: (say) => {
    const rounds = new Map<number, StoredItem>();
    const { find, see } = watchOrders();
    return (step) => {
      see(step);
      for (const change of step.of('round'))
        if (change.after) rounds.set(roundIn(itemOf(change)).time, change.after);
      for (const { outcome: spin } of outcomesOf(step)) {
        const order = find(spin.order_id);
        if (!order) continue;
        const item = order.beacon && rounds.get(startOf(order.due_day));
        const round = item?.signature && roundIn(item).round;
        if (order.beacon && !item) say(`${order.order_id} of ${order.due_day} runs`);
        if (spin.beacon_round !== round || spin.beacon_out !== item?.out)
          say(`${spin.id} mixes in ${spin.beacon_round ?? spin.beacon_out}, not ${round ?? item?.out}`);
      }
    };
  },
};

export const beaconRules = [decided, awaited];
