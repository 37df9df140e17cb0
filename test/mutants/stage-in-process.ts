/**
 * Starts a stage in the test's own process, once for all test files. A mutant is switched on in one process, so the
 * functions behind HTTP must run in the same process as the tests.
 */
import { startTestStage } from '../support/local-stage.ts';
import type { StageOfProcess } from '../support/stage.ts';

const here = globalThis as StageOfProcess;
here.stageOfThisProcess ??= await startTestStage();
