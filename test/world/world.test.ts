import { expect, test } from 'vitest';
import { simulateInProcess } from './seed-process.ts';

test('a day of a simulated stage with crashes, races and lost answers loses and doubles nothing', async () => {
  const [world] = await simulateInProcess(['--seed', '11', '--days', '1']);
  expect(world).toMatchObject({ seed: 11 });
  expect(world).not.toHaveProperty('rule');
});
