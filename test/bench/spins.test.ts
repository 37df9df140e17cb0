import { expect, test } from 'vitest';
import { spinTimes } from './spins.ts';

test('the transactions of orders can be reverted and sent again', async () => {
  const times = await spinTimes({ spins: 40, turns: 2, warmUp: 0 });
  expect([times.ours.length, times.floor.length]).toEqual([2, 2]);
});
