import { expect, test } from 'vitest';
import { patienceMs } from '../support/patience.ts';
import { type Result, simulateInProcess } from './seed-process.ts';

const brokenIn = (results: Result[]) => results.filter(({ rule }) => rule);

test(
  'new seeds break no rule for half a minute',
  async () => {
    const results = await simulateInProcess(['--seconds', '25', '--days', '1']);
    expect(brokenIn(results)).toEqual([]);
    // Repeats the fastest run, except the first one, in a new process. The trace must be the same, because earlier runs
    // in a process must not affect later ones.
    const [{ seed, hash } = results[0]!] = results.slice(1).sort((a, b) => a.seconds - b.seconds);
    const [again] = await simulateInProcess(['--seed', String(seed), '--days', '1']);
    expect(again).toMatchObject({ seed, hash });
  },
  3 * patienceMs,
);
