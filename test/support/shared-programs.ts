/** Lets all test files share one DynamoDB Local and one unpacked browser. Prepares each at the first request for it. */
import { setTimeout } from 'node:timers/promises';
import chromium from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';
import { startDynamodb } from '../../infra/develop/local/dynamodb.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';
import { serve } from './serve.ts';

/** Longer than a run of `npm test`. */
const nearMs = 6 * 60_000;

/** Waits if midnight in New York is near: it would begin a new day of limits in the middle of a test. */
async function passMidnight(): Promise<void> {
  const left = startOfDay(addDays(dayOf(Date.now()), 1)) - Date.now();
  if (left < nearMs) await setTimeout(left + 1000);
}

export default async function setup(project: TestProject) {
  await passMidnight();
  const dynamodbLocal = await onceForAll(startDynamodb, ({ endpoint }) => endpoint);
  project.provide('dynamodbLocal', dynamodbLocal.url);
  const browser = await onceForAll(() => chromium.executablePath(), String);
  project.provide('browser', browser.url);
  return async () => {
    await Promise.all([browser.stop(), dynamodbLocal.stop().then((local) => local?.stop())]);
  };
}

/**
 * Starts a server that creates a value at the first request and returns it to all requests. If each test process
 * unpacked the browser itself, the processes would overwrite each other's files.
 */
async function onceForAll<T>(make: () => Promise<T>, textOf: (made: T) => string) {
  let made: Promise<T> | undefined;
  const { url, close } = await serve((_, response) => {
    made ??= make();
    made.then(
      (value) => response.end(textOf(value)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  return {
    url,
    /** Stops the server. Returns the created value, or undefined if no test file asked for it. */
    async stop() {
      await close();
      return made;
    },
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL whose response is the endpoint of DynamoDB Local. */
    dynamodbLocal: string;
    /** URL whose response is the path of the unpacked browser. */
    browser: string;
  }
}
