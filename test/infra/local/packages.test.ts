import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
type Locked = { integrity?: string; inBundle?: boolean; bin?: Record<string, string> };
const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const locked = Object.entries<Locked>(lockfile.packages).filter(([path]) => path !== '');

test('every package that is installed is held to its hash, and no script of one runs', () => {
  const unheld = locked.filter(([, { integrity, inBundle }]) => !integrity && !inBundle);
  expect(unheld).toEqual([]);
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
});

test('the lockfile names no address to download from', () => {
  expect(JSON.stringify(lockfile)).not.toMatch(/"resolved"|https?:[^"]*\.tgz/);
});

test('the Node 24 that the scripts and npx run comes from a package of the lockfile', () => {
  const onPath = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
  const script = 'console.log(process.version, process.execPath)';
  const [version, path = ''] = execFileSync('node', ['-e', script], { env: onPath, encoding: 'utf8' }).split(
    ' ',
  );
  expect(version).toMatch(/^v24\./);
  const runs = relative(root, realpathSync(path.trim()));
  expect(locked.filter(([folder, { bin }]) => bin?.node && runs === join(folder, bin.node))).toHaveLength(1);
});
