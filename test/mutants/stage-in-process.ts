/**
 * Starts a local stage in the tests' process, once for all files: Stryker activates mutants only in that
 * process.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { startTestStage } from '../support/local-stage.ts';
import type { StageOfProcess } from '../support/stage.ts';

const here = globalThis as StageOfProcess;
if (!here.stageOfThisProcess) {
  here.stageOfThisProcess = await startTestStage();
  // Loads the mutated files outside of tests. Otherwise Stryker would think that the test which happens to
  // load a file first is the only one that covers its mutants in constants.
  for (const file of globSync(JSON.parse(process.env.MUTATED ?? '[]') as string[]))
    if (!file.endsWith('/main.ts')) await import(join(process.cwd(), file));
  // The stage's servers would keep the process alive after Stryker ended.
  process.once('disconnect', () => process.kill(process.pid));
}
