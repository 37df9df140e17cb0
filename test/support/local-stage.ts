import type { TestProject } from 'vitest/node';
import { startLocalStage } from '../../infra/local/stage.ts';
import { retryDelays } from '../../shared/webhooks/retry-schedule.ts';
import { startTableServer } from './table-server.ts';

/**
 * One local stage for the whole run, on the stand-in for DynamoDB or with `DYNAMODB=local` on DynamoDB Local; each test
 * makes itself an organization of its own.
 */
export default async function setup(project: TestProject) {
  // A delivery that fails is tried again after a second, and then when it always is.
  process.env.RETRY_DELAYS_SECONDS = [1, ...retryDelays.slice(1)].join();
  const onLocal = process.env.DYNAMODB === 'local';
  const stage = await startLocalStage({
    port: 0,
    patience: 10,
    ...(!onLocal && { startDatabase: startTableServer }),
  });
  project.provide('stage', {
    baseUrl: stage.baseUrl,
    tableName: stage.tableName,
    dynamodbEndpoint: stage.dynamodbEndpoint,
    environment: stage.environment,
  });
  return stage.stop;
}

declare module 'vitest' {
  export interface ProvidedContext {
    stage: {
      baseUrl: string;
      tableName: string;
      dynamodbEndpoint: string;
      environment: Record<string, string>;
    };
  }
}
