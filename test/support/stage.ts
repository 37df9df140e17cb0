import { inject } from 'vitest';

/** What tests need to know of the local stage that they share. */
export type SharedStage = {
  baseUrl: string;
  tableName: string;
  dynamodbEndpoint: string;
  environment: Record<string, string>;
};

/** Where a test process keeps a stage of its own. It must be set before this module is loaded. */
export type StageOfProcess = { stageOfThisProcess?: SharedStage };

/** The local stage: of this process if it has one (`test/mutants`), else of the whole test run. */
export const stage: SharedStage = (globalThis as StageOfProcess).stageOfThisProcess ?? inject('stage');
