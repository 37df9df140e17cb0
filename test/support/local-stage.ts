import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import chromium from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';
import { startDynamodb } from '../../infra/develop/local/dynamodb.ts';
import { startLocalStage } from '../../infra/develop/local/stage.ts';
import { retryDelays } from '../../shared/webhooks/retry-schedule.ts';
import { startTableServer } from './table-server.ts';

/**
 * Starts one local stage for all tests, on the simulated DynamoDB, or on DynamoDB Local with
 * `DYNAMODB=local`. Each test creates its own organization.
 */
export default async function setup(project: TestProject) {
  // Shortens the first retry of a webhook delivery to a second.
  process.env.RETRY_DELAYS_SECONDS = [1, ...retryDelays.slice(1)].join();
  const onLocal = process.env.DYNAMODB === 'local';
  const stage = await startLocalStage({
    port: 0,
    timeoutFactor: 10,
    authorizerTtlSeconds: 1,
    ...(!onLocal && { startDatabase: startTableServer }),
  });
  project.provide('stage', {
    baseUrl: stage.baseUrl,
    tableName: stage.tableName,
    dynamodbEndpoint: stage.dynamodbEndpoint,
    environment: stage.environment,
  });
  const dynamodbLocal = await onceForAll(startDynamodb, ({ endpoint }) => endpoint);
  project.provide('dynamodbLocal', dynamodbLocal.url);
  const browser = await onceForAll(() => chromium.executablePath(), String);
  project.provide('browser', browser.url);
  return async () => {
    browser.stop();
    await Promise.all([dynamodbLocal.stop().then((local) => local?.stop()), stage.stop()]);
  };
}

/**
 * Serves a text that all test files share, and creates it at the first request. Without this, two processes
 * that unpack the browser at once would overwrite each other's files.
 */
async function onceForAll<T>(make: () => Promise<T>, textOf: (made: T) => string) {
  let made: Promise<T> | undefined;
  const server = createServer((_, response) => {
    made ??= make();
    made.then(
      (value) => response.end(textOf(value)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the created value, or undefined if no file requested it. */
    async stop() {
      server.closeAllConnections();
      server.close();
      return made;
    },
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL that returns the endpoint of DynamoDB Local. */
    dynamodbLocal: string;
    /** URL that returns the path of the unpacked browser. */
    browser: string;
    stage: {
      baseUrl: string;
      tableName: string;
      dynamodbEndpoint: string;
      environment: Record<string, string>;
    };
  }
}
