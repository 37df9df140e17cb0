/** `npm run nightly`: everything that is too long for a commit, in parts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadUsage, optionsOrExit, parseInteger, parseOptions } from '../infra/common/arguments.ts';

const usage = `npm run nightly -- [options]

Runs all parts, two at a time, in about an hour of two processors.

  --only <text>  only parts with this text in their name; may be given several times
  --seed <n>     the seed of worlds and properties (default: a new one)
  --short        each part in its shortest form, to try it`;

const { only, seed, short } = optionsOrExit(usage, () => {
  const { values } = parseOptions({
    options: {
      only: { type: 'string', multiple: true, default: [''] },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      short: { type: 'boolean', default: false },
    },
  });
  return { ...values, seed: parseInteger('--seed', values.seed, [0, 1_000_000_000]) };
});

/** A part is a script with arguments, which the command `npm run …` runs, too. */
type Part = { name: string; run: string[]; env?: Record<string, string> };
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
const fuzz = { NIGHTLY: '1', FUZZ_SEED: String(seed) };
const simulate = 'test/world/simulate.ts';
// Tests of these folders do not use the database, or one of their own.
const withoutTable = ['world', 'browser', 'infra/deploy', 'timestamps', 'drand'].flatMap((folder) => [
  '--exclude',
  `test/${folder}/**`,
]);
const ordinary = [...vitest, '--exclude', 'test/**/*.nightly.test.ts', ...withoutTable];

const parts: Part[] = [
  {
    name: 'worlds of new seeds',
    run: ['test/world/new-seeds.ts', String(short ? 5 : 900), String(seed)],
  },
  {
    name: 'a fault at each step of each flow',
    run: [simulate, '--steps', ...(short ? ['--only', 'a user is created'] : [])],
  },
  {
    name: 'nightly tests',
    run: [...vitest, short ? 'test/infra/deploy/restore.nightly' : '.nightly.test.ts'],
    env: fuzz,
  },
  {
    name: 'many new random inputs',
    run: [...vitest, ...(short ? ['test/table/codec'] : ['test/api/fuzz', 'calls-in-shards'])],
    env: { ...fuzz, FUZZ_RUNS: '200', RUNS: '20' },
  },
  {
    name: 'tests on DynamoDB Local, with new random inputs',
    run: short ? [...ordinary, 'test/tickets'] : ordinary,
    env: { ...fuzz, DYNAMODB: 'local' },
  },
  {
    name: 'bench',
    run: ['test/bench/main.ts', '--smallest', short ? 'credit' : ''],
  },
  {
    name: 'planted bugs',
    run: ['test/world/planted.ts', '--seed', String(seed), ...(short ? ['--only', 'frozen user'] : [])],
  },
  {
    name: 'mutants of files that change with the date',
    run: ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'test/stryker.config.mjs'],
    ...(short && { env: { FOLDER: 'games', FILES: 'odds' } }),
  },
].filter(({ name }) => only.some((text) => name.includes(text)));

if (parts.length === 0)
  optionsOrExit(usage, () => {
    throw new BadUsage('No part has such a name.');
  });

const root = join(import.meta.dirname, '..');
const logs = join(root, '.build/nightly');
mkdirSync(logs, { recursive: true });
const running = new Set<ChildProcess>();

/** Runs a part in a process group of its own, with its output in a file. Returns whether it passed. */
async function passes({ name, run, env = {} }: Part): Promise<boolean> {
  const began = performance.now();
  const log = join(logs, `${name.replaceAll(/\W+/g, '-')}.log`);
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, ['infra/node24.mjs', ...run], {
    cwd: root,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  });
  running.add(child);
  const isPassed = await new Promise<boolean>((resolve) => child.once('exit', (code) => resolve(code === 0)));
  running.delete(child);
  endGroup(child);
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(`${isPassed ? 'passed' : 'FAILED'}  ${minutes.padStart(5)} min  ${name}`);
  if (!isPassed) {
    const settings = Object.entries(env).map(([variable, value]) => `${variable}=${value} `);
    const lines = readFileSync(log, 'utf8').split('\n');
    const failures = lines
      .filter((line) => /BROKEN|NOT CAUGHT|Repeat:| FAIL |^\w*Error|, \d+ failed|mutation score/.test(line))
      .slice(0, 30);
    console.log(
      [...failures, `Repeat: ${settings.join('')}node infra/node24.mjs ${run.join(' ')}`, log].join('\n'),
    );
  }
  return isPassed;
}

/** Ends what is left of a part. */
function endGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {}
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    for (const child of running) endGroup(child);
    process.exit(1);
  });

console.log(`Seed ${seed}`);
const results: boolean[] = [];
const waiting = parts.values();
const lane = async () => {
  for (const part of waiting) results.push(await passes(part));
};
await Promise.all([lane(), lane()]);
const failed = results.filter((isPassed) => !isPassed).length;
console.log(`\n${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
