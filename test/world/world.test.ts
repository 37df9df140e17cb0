import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Result = { seed: number; seconds: number; hash: string; rule?: string; detail?: string };

/** Runs `npm run simulate` in a separate process. Returns its result for each seed. */
function simulate(...args: string[]): Promise<Result[]> {
  const script = join(import.meta.dirname, 'simulate.ts');
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, '--json', ...args], { maxBuffer: 2 ** 26 }, (error, out, trouble) => {
      const lines = out.split('\n').filter((line) => line.startsWith('{'));
      if (lines.length === 0) reject(error ?? new Error(trouble));
      else resolve(lines.map((line) => JSON.parse(line)));
    });
  });
}

const brokenIn = (results: Result[]) => results.filter(({ rule }) => rule);

test('new seeds break no rule for half a minute', async () => {
  const results = await simulate('--seconds', '25', '--days', '1');
  expect(brokenIn(results)).toEqual([]);
  // Repeats the fastest run, except the first one, in a new process. The trace must be the same, because earlier runs
  // in a process must not affect later ones.
  const [{ seed, hash } = results[0]!] = results.slice(1).sort((a, b) => a.seconds - b.seconds);
  const [again] = await simulate('--seed', String(seed), '--days', '1');
  expect(again).toMatchObject({ seed, hash });
});
