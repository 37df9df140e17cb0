import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import chromium from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';
import { startDynamodb } from '../../infra/develop/local/dynamodb.ts';
import { startLocalStage } from '../../infra/develop/local/stage.ts';
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
 * Serves the text of something that all test files share, and makes it for the first that asks. Two processes that
 * unpack the browser at once would each start a file that the other still writes.
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
    /** Returns what was made, if any file asked for it. */
    async stop() {
      server.closeAllConnections();
      server.close();
      return made;
    },
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address that answers with the endpoint of one DynamoDB Local. */
    dynamodbLocal: string;
    /** Address that answers with the path of the unpacked browser. */
    browser: string;
    stage: {
      baseUrl: string;
      tableName: string;
      dynamodbEndpoint: string;
      environment: Record<string, string>;
    };
  }
}
