/** Mutants of some files of a folder of `shared`, which change with the date, or of `FOLDER=games FILES=odds`. */
import { globSync, readFileSync } from 'node:fs';

const folders = ['games', 'reports', 'table', 'webhooks', 'amoe', 'books'];
const linesADay = 300;

const day = Math.floor(Date.now() / 86_400_000);
const { FOLDER: folder = folders[day % folders.length], FILES: chosen = '' } = process.env;
const files = globSync(`shared/${folder}/**/*${chosen}*.ts`).sort();
const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length, 0);
const days = chosen ? 1 : Math.ceil(lines / linesADay);
const turn = Math.floor(day / folders.length) % days;
// The configuration of Vitest reads it, so that only the tests of the folder run.
process.env.MUTANTS_OF = folder;

export default {
  mutate: files.filter((_, index) => index % days === turn),
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/vitest.config.ts', related: false },
  ignoreStatic: true,
  // TypeScript 7 has no API, with which Stryker would rewrite the file.
  tsconfigFile: 'none',
  ignorePatterns: ['.build', '.local'],
  concurrency: 2,
  tempDirName: '.build/stryker',
  reporters: ['clear-text'],
  clearTextReporter: { allowColor: false, reportTests: false },
  thresholds: { high: 90, low: 80, break: 60 },
};
