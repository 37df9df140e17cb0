/**
 * Starts a local stage in the tests' own process, once for all test files. A mutant is switched on only in
 * one process, so the service's functions must run in the tests' process.
 */
import { startTestStage } from '../support/local-stage.ts';
import type { StageOfProcess } from '../support/stage.ts';

const here = globalThis as StageOfProcess;
here.stageOfThisProcess ??= await startTestStage();
