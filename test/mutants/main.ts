/** `npm run mutants`: mutates one room (folder) with StrykerJS and prints undetected mutants. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import {
  argumentsOf,
  BadUsage,
  numberOf,
  optionsOrUsage,
  wholeNumber,
} from '../../infra/common/arguments.ts';
import { addNumberMutator } from './number-mutator.ts';
import { rooms } from './rooms.ts';
import { percentage, type StrykerReport, scoresOf, storeScore } from './scores.ts';

process.chdir(join(import.meta.dirname, '../..'));

const usage = `npm run mutants -- <room> [options]

Rooms: ${Object.keys(rooms).join(', ')}

  --share <n>        fraction of the mutants to try, from 0 to 1 (default: 1)
  --seed <text>      selects which fraction (default: 1)
  --only <glob>      mutate only these files of the room, and store no score
  --concurrency <n>  number of test processes that run concurrently (default: 2)`;

const { name, room, share, seed, only, concurrency } = optionsOrUsage(usage, () => {
  const { values, positionals } = argumentsOf({
    allowPositionals: true,
    options: {
      share: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      concurrency: { type: 'string', default: '2' },
    },
  });
  const [name = ''] = positionals;
  const room = rooms[name];
  if (!room) throw new BadUsage(name === '' ? 'Name a room.' : `There is no room "${name}".`);
  const share = numberOf('--share', values.share, [0, 1]);
  const concurrency = wholeNumber('--concurrency', values.concurrency, [1, 64]);
  return { ...values, name, room, share, concurrency };
});
/**
 * Milliseconds added to Stryker's time limits, so that the limits of `runner.mjs` apply first. Stryker's limit ends the
 * wait for a test process that was killed.
 */
const spareMs = 1_200_000;
// Passes settings to the test processes and to the plugins, which inherit environment variables.
Object.assign(process.env, {
  TESTS: JSON.stringify(room.tests),
  MUTATED: JSON.stringify(room.files),
  MUTANT_SHARE: `${share}`,
  MUTANT_SEED: seed,
  MUTANT_SPARE_MS: `${spareMs}`,
});
const folder = '.build/mutants';
const report = `${folder}/${name}.json`;
mkdirSync(folder, { recursive: true });

const options: PartialStrykerOptions = {
  testRunner: 'kept-process',
  plugins: ['@stryker-mutator/vitest-runner', './test/mutants/runner.mjs'],
  mutate: only ? [only] : room.files,
  vitest: { configFile: 'test/mutants/vitest.config.ts', related: false, pool: 'forks' } as never,
  coverageAnalysis: 'perTest',
  ignorePatterns: ['/.build', '/.local', '/cdk.out'],
  tempDirName: `.build/stryker/${name}`,
  // Names a missing file, so that Stryker does not rewrite the project's tsconfig with an older TypeScript.
  tsconfigFile: 'none.json',
  disableTypeChecks: false,
  concurrency,
  timeoutMS: spareMs,
  timeoutFactor: 1,
  dryRunTimeoutMinutes: 20,
  incremental: true,
  incrementalFile: `${folder}/${name}-${share}-${seed}.json`,
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: report },
  allowConsoleColors: false,
};
await addNumberMutator();
await new Stryker(options).runMutationTest();

const { files, undetected } = scoresOf(JSON.parse(readFileSync(report, 'utf8')) as StrykerReport);
for (const { place, line, replacement } of undetected)
  console.log(`${place}\n  - ${line}\n  + ${replacement}`);
console.table(files);
const sum = (key: 'detected' | 'undetected') =>
  Object.values(files).reduce((all, file) => all + file[key], 0);
const score = percentage({ detected: sum('detected'), undetected: sum('undetected') });
console.log(
  `${name}: ${score} % of ${sum('detected') + sum('undetected')} mutants detected, goal ${room.goal} %`,
);
const date = new Date().toISOString().slice(0, 10);
if (!only) storeScore(name, { date, share, seed, score, files });
