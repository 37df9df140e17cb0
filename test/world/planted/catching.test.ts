import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { catchBySimulation, ruleBrokenWith } from './catching.ts';
import { inCopyWithBug } from './scratch-copy.ts';

const worlds = { seed: 5, seeds: 4, days: 3 };
const bug = { name: 'one instead of two', file: 'value.txt', from: 'two', to: 'one' };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'planted-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/**
 * Writes a fake `simulate.ts` into the test's folder. The script reads `seed` from its arguments and runs
 * `code`.
 */
function simulateBy(code: string) {
  mkdirSync(join(root, 'test/world'), { recursive: true });
  const say = 'const say = (line: object) => console.log(JSON.stringify({ seed, ...line }));';
  const seed = "const seed = Number(process.argv[process.argv.indexOf('--seed') + 1]);";
  writeFileSync(join(root, 'test/world/simulate.ts'), `${seed}\n${say}\n${code}`);
}

test('the first seed that breaks a rule catches the bug', async () => {
  simulateBy("say({ seed: 5 }); say({ seed: 7, rule: 'r', detail: 'd' }); process.exitCode = 1;");
  expect(await catchBySimulation(root, worlds)).toEqual({ rule: 'r', seed: 7, seeds: 3 });
  expect(await ruleBrokenWith(root, worlds)).toBe('r');
});

test('nothing is caught if no seed breaks a rule', async () => {
  simulateBy('say({});');
  expect(await catchBySimulation(root, worlds)).toBeUndefined();
});

test('a simulation that fails itself has caught nothing', async () => {
  simulateBy("throw new Error('no bundle');");
  await expect(catchBySimulation(root, worlds)).rejects.toThrow('no bundle');
});

test('a bug is planted in a copy of what is tracked, and the copy is removed', async () => {
  mkdirSync(join(root, 'a'));
  for (const [file, text] of [
    ['value.txt', 'one two'],
    ['a/b.txt', 'b'],
    ['not-tracked', ''],
  ] as const) {
    writeFileSync(join(root, file), text);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
  git('init', '--quiet');
  git('add', 'value.txt', 'a');
  const copied = await inCopyWithBug(root, bug, async (folder) => {
    expect(existsSync(join(folder, 'a/b.txt'))).toBe(true);
    expect(existsSync(join(folder, 'not-tracked'))).toBe(false);
    return readFileSync(join(folder, 'value.txt'), 'utf8');
  });
  expect(copied).toBe('one one');
  expect(readFileSync(join(root, 'value.txt'), 'utf8')).toBe('one two');
  expect(readdirSync(join(root, '.build'))).toEqual([]);
});

test('a bug that fits two places is refused', async () => {
  writeFileSync(join(root, 'value.txt'), 'two two');
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  execFileSync('git', ['add', 'value.txt'], { cwd: root });
  await expect(inCopyWithBug(root, bug, async () => {})).rejects.toThrow('exactly one place');
});
