/** The rule of beacon rounds at the end. */
import { roundIn } from '../beacon.ts';
import type { EndRule } from './final-state.ts';

/** Once faults have ended, every round is available. */
const roundsAvailable: EndRule = {
  rule: 'without faults no beacon round is out',
  check(world, report) {
    for (const item of world.of('round'))
      if (item.out && roundIn(item).time >= world.faultFreeFrom) report(item.pk);
  },
};

export const roundRules = [roundsAvailable];
