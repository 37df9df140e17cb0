/**
 * Mutates one room (folder) with StrykerJS and prints undetected mutants: `npm run mutants -- games --share
 * 0.2 --seed 1`.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { addNumberMutator } from './number-mutator.ts';
import { rooms } from './rooms.ts';
import { percentage, type StrykerReport, scoresOf, storeScore } from './scores.ts';

process.chdir(join(import.meta.dirname, '../..'));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Fraction of the mutants to try, from 0 to 1. `seed` selects which ones. */
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    /** Glob of files in the room (the mutated folder). Mutates only these files, and stores no score. */
    only: { type: 'string' },
    /** Number of test processes that run concurrently. */
    concurrency: { type: 'string', default: '2' },
  },
});
const [name = ''] = positionals;
const room = rooms[name];
if (!room) {
  console.error(`Name a room: ${Object.keys(rooms).join(', ')}`);
  process.exit(1);
}
const { share, seed, only } = values;
/**
 * Milliseconds added to Stryker's time limits, so that the limits of `runner.mjs` apply first. Stryker's limit ends the
 * wait for a test process that was killed.
 */
const spareMs = 1_200_000;
// Passes settings to the test processes and to the plugins, which inherit environment variables.
Object.assign(process.env, {
  TESTS: JSON.stringify(room.tests),
  MUTATED: JSON.stringify(room.files),
  MUTANT_SHARE: share,
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
  concurrency: Number(values.concurrency),
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
if (!only) storeScore(name, { date, share: Number(share), seed, score, files });
