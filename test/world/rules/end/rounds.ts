/** Rules of the beacon at the end. */
import { roundIn } from '../beacon.ts';
import type { EndRule } from './world.ts';

/** In peace every round is to be had. */
const had: EndRule = {
  rule: 'in peace no round of the beacon is out',
  check(world, say) {
    for (const item of world.of('round')) if (item.out && roundIn(item).time >= world.peaceFrom) say(item.pk);
  },
};

export const roundRules = [had];
