/** The rule that beacon rounds are available when no faults occur. */
import { roundIn } from '../beacon.ts';
import type { EndRule } from './final-state.ts';

/** No beacon round that is later than the last simulated fault is marked as unavailable. */
const roundsAvailable: EndRule = {
  rule: 'without faults no beacon round is out',
  check(world, report) {
    for (const item of world.of('round'))
      if (item.out && roundIn(item).time >= world.faultFreeFrom) report(item.pk);
  },
};

export const roundRules = [roundsAvailable];
