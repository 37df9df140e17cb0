import { expect, test } from 'vitest';
import { beacon } from '../../relays.ts';
import { rulesBrokenBy } from './examples.ts';

test('a round that is out is detected only without faults', () => {
  const rule = 'without faults no beacon round is out';
  const time = Date.parse('2026-03-07T05:00:00Z');
  const brokenFrom = (faultFreeFrom: number) =>
    rulesBrokenBy((world) => {
      world.items.push({ pk: `BEACON#${beacon.chain}#${time / 3000 + 1}`, sk: 'BEACON', out: true });
      Object.assign(world, { faultFreeFrom });
    });
  expect(brokenFrom(time)).toContain(rule);
  expect(brokenFrom(time + 1)).not.toContain(rule);
});
