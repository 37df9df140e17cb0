/**
 * Starts a local stage in the tests' own process, once for all test files. Stryker activates a mutant only in
 * the tests' process, so the service's functions must run there too.
 */
import { startTestStage } from '../support/local-stage.ts';
import type { StageOfProcess } from '../support/stage.ts';

const here = globalThis as StageOfProcess;
here.stageOfThisProcess ??= await startTestStage();
