import type { StoredItem } from '../../journal.ts';
import { beacon } from '../../relays.ts';
import type { EndRule } from './final-state.ts';

/** Returns the time of a stored beacon round in epoch milliseconds. */
const timeOf = ({ pk }: StoredItem) =>
  (beacon.genesis_time + (Number(pk.split('#')[2]) - 1) * beacon.period) * 1000;

/** After the last simulated fault, no beacon round is marked as unavailable. */
const roundsAvailable: EndRule = {
  rule: 'without faults no beacon round is unavailable',
  check(world, report) {
    for (const item of world.of('round'))
      if (item.out && timeOf(item) >= world.faultFreeFrom) report(item.pk);
  },
};

export const roundRules = [roundsAvailable];
