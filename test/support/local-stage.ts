import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type LocalDynamodb, startDynamodb } from '../../infra/local/dynamodb.ts';
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
    authorizerTtlSeconds: 1,
    ...(!onLocal && { startDatabase: startTableServer }),
  });
  project.provide('stage', {
    baseUrl: stage.baseUrl,
    tableName: stage.tableName,
    dynamodbEndpoint: stage.dynamodbEndpoint,
    environment: stage.environment,
  });
  const dynamodbLocal = await startWhenAsked();
  project.provide('dynamodbLocal', dynamodbLocal.url);
  return async () => {
    await Promise.all([dynamodbLocal.stop(), stage.stop()]);
  };
}

/** Serves the address of one DynamoDB Local for all files of tests that need the real one, and starts it for the first. */
async function startWhenAsked() {
  let started: Promise<LocalDynamodb> | undefined;
  const server = createServer((_, response) => {
    started ??= startDynamodb();
    started.then(
      ({ endpoint }) => response.end(endpoint),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await (await started)?.stop();
    },
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    dynamodbLocal: string;
    stage: {
      baseUrl: string;
      tableName: string;
      dynamodbEndpoint: string;
      environment: Record<string, string>;
    };
  }
}
