import { expect, test } from 'vitest';
import { patienceMs } from '../support/patience.ts';
import { simulateInProcess } from './seed-process.ts';

test(
  'a failing seed fails again: a world is the same in a new process, whatever ran before',
  async () => {
    const [, world] = await simulateInProcess(['--seed', '10', '--seeds', '2', '--days', '1']);
    const [again] = await simulateInProcess(['--seed', '11', '--days', '1']);
    expect(again).toMatchObject({ seed: 11, hash: world!.hash });
  },
  3 * patienceMs,
);
