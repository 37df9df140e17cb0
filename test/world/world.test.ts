import { expect, test } from 'vitest';
import { simulateInProcess } from './seed-process.ts';

test('a day of a simulated stage with crashes, races and lost answers loses and doubles nothing', async () => {
  const [world] = await simulateInProcess(['--seed', '3', '--days', '1']);
  expect(world).toMatchObject({ seed: 3 });
  expect(world).not.toHaveProperty('rule');
});
