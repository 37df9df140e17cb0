import { inject } from 'vitest';
import { sendTableCallsAsLines } from './table-lines.ts';

/** The addresses and environment variables of the local stage that all tests share. */
export type SharedStage = {
  baseUrl: string;
  tableName: string;
  dynamodbEndpoint: string;
  environment: Record<string, string>;
};

/**
 * Fields of `globalThis`. A test process with a stage of its own sets `stageOfThisProcess` before it loads
 * this module.
 */
export type StageOfProcess = { stageOfThisProcess?: SharedStage };

/** The process's own local stage (`test/mutants`), or the stage of the whole test run. */
export const stage: SharedStage = (globalThis as StageOfProcess).stageOfThisProcess ?? inject('stage');

sendTableCallsAsLines(stage);
