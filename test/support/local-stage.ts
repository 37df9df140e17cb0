import { createRequire } from 'node:module';
import type { TestProject } from 'vitest/node';
import { type LocalStage, startLocalStage } from '../../infra/develop/local/stage.ts';
import { retryDelays } from '../../shared/webhooks/retry-schedule.ts';
import type { SharedStage } from './stage.ts';
import { startTableServer } from './table-server.ts';

// Loads the module with `require`, as the stage loads functions: a module loaded with `import` would be Vitest's own
// copy, and change the AWS clients of that copy only.
const { onDynamodbLocal, sendTableCallsAsLines }: typeof import('./table-lines.ts') = createRequire(
  import.meta.url,
)('./table-lines.ts');

/** Starts one local stage, which all test files share. Each test creates its own organization in it. */
export default async function setup(project: TestProject) {
  const { baseUrl, tableName, dynamodbEndpoint, environment, stop } = await startTestStage();
  project.provide('stage', { baseUrl, tableName, dynamodbEndpoint, environment });
  return stop;
}

/** Starts a local stage on the simulated DynamoDB. With `DYNAMODB=local`, uses DynamoDB Local instead. */
export async function startTestStage(): Promise<LocalStage> {
  // Shortens the first retry delay of a webhook delivery to a second, for fast tests.
  process.env.RETRY_DELAYS_SECONDS = [1, ...retryDelays.slice(1)].join();
  const stage = await startLocalStage({
    port: 0,
    timeoutFactor: 10,
    ...(!onDynamodbLocal && { startDatabase: startTableServer }),
  });
  sendTableCallsAsLines(stage);
  return stage;
}

declare module 'vitest' {
  export interface ProvidedContext {
    stage: SharedStage;
  }
}
