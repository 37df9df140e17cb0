import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../../shared/webhooks/public-address.ts';
import { createRandom } from '../random.ts';
import { internalAddresses } from './addresses.ts';
import { addressesOf, drawReceiverBehavior, reactionOf } from './receiver-behavior.ts';

const random = createRandom('characters');
const [now, worksFrom] = [1_772_366_400_000, 1_775_000_000_000];
const behaviors = Array.from({ length: 2000 }, (_, number) =>
  drawReceiverBehavior(createRandom(String(number)), now, worksFrom, number),
);
const call = { body: '{"type":"outcome"}' };

describe('from `worksFrom` on', () => {
  test('all receivers work', () => {
    for (const behavior of behaviors) {
      expect(reactionOf(behavior, call, random, worksFrom)).toMatchObject({
        kind: 'response',
        body: 'whole',
      });
    }
  });

  test('all names resolve to public addresses only', () => {
    for (const behavior of behaviors) {
      const addresses = addressesOf(behavior, random, worksFrom);
      expect([addresses.length > 0, addresses.every(isPublicAddress)]).toEqual([true, true]);
    }
  });
});

test('no internal address is public', () => {
  expect(internalAddresses.filter(isPublicAddress)).toEqual([]);
});

test('most receivers work most of the time, and every fault occurs', () => {
  const well = behaviors.filter((behavior) => {
    const reaction = reactionOf(behavior, call, random, now);
    return reaction.kind === 'response' && reaction.status < 300;
  });
  expect(well.length / behaviors.length).toBeGreaterThan(0.6);
  const modes = new Set(behaviors.flatMap((behavior) => Object.keys(behavior.modes)));
  expect(modes.size).toBe(11);
  const lookups = behaviors.flatMap((behavior) => behavior.lookups);
  expect(lookups.some((addresses) => addresses.length === 0)).toBe(true);
  expect(lookups.some((addresses) => addresses.length > 1 && !addresses.every(isPublicAddress))).toBe(true);
});
