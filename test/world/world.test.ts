import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seeds } from './seeds.ts';

type Told = { seed: number; seconds: number; hash: string; rule?: string; detail?: string };

/** Runs `npm run simulate` in a process of its own, and returns what it tells of each seed. */
function simulate(...args: string[]): Promise<Told[]> {
  const script = join(import.meta.dirname, 'simulate.ts');
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, '--json', ...args], { maxBuffer: 2 ** 26 }, (error, out, trouble) => {
      const lines = out.split('\n').filter((line) => line.startsWith('{'));
      if (lines.length === 0) reject(error ?? new Error(trouble));
      else resolve(lines.map((line) => JSON.parse(line)));
    });
  });
}

const brokenIn = (told: Told[]) => told.filter(({ rule }) => rule);

test('seeds that once broke a rule, and a minute of seeds that nobody has tried, break none', async () => {
  const told = await simulate('--kept', '--seconds', '50', '--days', '1');
  expect(brokenIn(told)).toEqual([]);
  // A world that came after others is again what it was, as the first of another process.
  const fresh = told.slice(seeds.length).sort((a, b) => a.seconds - b.seconds);
  const { seed, hash } = fresh[Math.floor(fresh.length / 4)]!;
  const [again] = await simulate('--seed', String(seed), '--days', '1');
  expect(again).toMatchObject({ seed, hash });
});
