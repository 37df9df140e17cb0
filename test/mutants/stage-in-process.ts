/**
 * Starts a local stage in the tests' process, once for all files: Stryker activates mutants only in that
 * process.
 */
import { startTestStage } from '../support/local-stage.ts';
import type { StageOfProcess } from '../support/stage.ts';

const here = globalThis as StageOfProcess;
if (!here.stageOfThisProcess) {
  here.stageOfThisProcess = await startTestStage();
  // The stage's servers would keep the process alive after Stryker ended.
  process.once('disconnect', () => process.kill(process.pid));
}
