/**
 * Starts a local stage in the tests' process, once for all files: Stryker activates mutants only in that
 * process.
 */
import { startTestStage } from '../support/local-stage.ts';
import type { StageOfProcess } from '../support/stage.ts';

const here = globalThis as StageOfProcess;
here.stageOfThisProcess ??= await startTestStage();
