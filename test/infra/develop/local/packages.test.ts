import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
type Locked = {
  integrity?: string;
  inBundle?: boolean;
  optional?: boolean;
  bin?: Record<string, string>;
  engines?: { node?: string };
};
const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const locked = Object.entries<Locked>(lockfile.packages).filter(([path]) => path !== '');

test('every package is pinned by its hash, and no install script runs', () => {
  const unheld = locked.filter(([, { integrity, inBundle }]) => !integrity && !inBundle);
  expect(unheld).toEqual([]);
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
});

test('the lockfile contains no download addresses', () => {
  expect(JSON.stringify(lockfile)).not.toMatch(/"resolved"|https?:[^"]*\.tgz/);
});

test('no package needs a newer Node than the README, of which npm would warn', () => {
  const [, readme = ''] = /You need Node ([\d.]+)/.exec(readFileSync(join(root, 'README.md'), 'utf8'))!;
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect([engines.node, lockfile.packages[''].engines.node]).toEqual([`>=${readme}`, `>=${readme}`]);
  const placeOf = (version: string) => {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    return 1000 * major + minor;
  };
  /** Compares only the lower end of a range, and the major version of a caret range. */
  const allows = (range: string) => {
    const [, operator, lowest = '0'] = /(\^|>=?|)\s*v?([\d.]+|\*)/.exec(range) ?? [];
    const isMajor = operator === '>=' || operator === '>' || lowest.split('.')[0] === readme.split('.')[0];
    return lowest === '*' || (isMajor && placeOf(lowest) <= placeOf(readme));
  };
  const newer = locked.filter(
    ([, { engines, optional }]) => !optional && engines?.node && !engines.node.split('||').some(allows),
  );
  expect(newer.map(([path, { engines }]) => `${path} ${engines!.node}`)).toEqual([]);
});

function fileWith(script: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'incentives-node-')), 'script.ts');
  onTestFinished(() => rmSync(dirname(path), { recursive: true }));
  writeFileSync(path, script);
  return path;
}

const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`;
const asOlder = ['--import', `data:text/javascript,${older}`];

test.each([
  ['Node 24', []],
  ['an older Node', asOlder],
])(
  'a script on %s ends without a stack, and without success, if the reader of its output has stopped',
  async (_, options) => {
    const path = fileWith("setInterval(() => process.stdout.write('a line\\n'), 10)");
    const child = spawn(process.execPath, [...options, 'infra/node24.mjs', path], { cwd: root });
    let printed = '';
    child.stderr.on('data', (text) => {
      printed += text;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await once(child, 'close')).toEqual([141, null]);
    expect(printed).toBe('');
  },
);

describe('a script started with an older Node', () => {
  const run = (script: string, ...args: string[]) => runWith(asOlder, script, args);
  const runWith = (nodeOptions: string[], script: string, args: string[] = []) => {
    const path = fileWith(script);
    const command = [...nodeOptions, 'infra/node24.mjs', path, ...args];
    const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...env } = process.env;
    return spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8', env });
  };

  test('runs on the Node 24 of an installed package, and so do its child processes', () => {
    const node = 'console.log(process.version, process.execPath)';
    const { stdout } = run(
      `${node};\nrequire('child_process').spawnSync('node', ['-e', '${node}'], { stdio: 'inherit' })`,
    );
    const [own, started] = stdout.split('\n');
    expect(started).toBe(own);
    const [version, path = ''] = String(own).split(' ');
    expect(version).toMatch(/^v24\./);
    const runs = relative(root, realpathSync(path));
    expect(locked.filter(([folder, { bin }]) => bin?.node && runs === join(folder, bin.node))).toHaveLength(
      1,
    );
  });

  test('receives its arguments, and its exit code is passed on', () => {
    const { stdout, status } = run(
      'const [, , ...args]: string[] = process.argv; console.log(args.join()); process.exit(3)',
      '--a',
      'b',
    );
    expect([stdout, status]).toEqual(['--a,b\n', 3]);
  });
});
