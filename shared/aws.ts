/** `PURE` lets bundlers leave out unused clients. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mayHaveExecuted, Stale, staleAfterMs, stopwatch } from './retry.ts';

// Options of all AWS clients; timeouts in milliseconds. Three attempts end well before API Gateway's timeout
// of 29 s.
const options = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
};

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Removes the SDK's logging middleware, which costs time on every call although no logger is set. */
export function withoutLogger<C extends { middlewareStack: { remove(name: string): boolean } }>(
  client: C,
): C {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

export const dynamodb = /* @__PURE__ */ once(() => {
  const client = DynamoDBDocumentClient.from(withoutLogger(new DynamoDBClient(options)), {
    marshallOptions: { removeUndefinedValues: true },
  });
  watchAttempts(client);
  return client;
});

const sinceFirst = Symbol('the time since the first attempt of this request');
const unansweredAttempt = Symbol('an attempt of this request got no answer');

/** Throws `Stale` instead of repeating a request too late. Marks errors of requests with an unanswered attempt. */
function watchAttempts({ middlewareStack }: DynamoDBDocumentClient): void {
  middlewareStack.add(
    (next, context) => async (args) => {
      const request = context as { [sinceFirst]?: () => number };
      request[sinceFirst] ??= stopwatch();
      // Lambda can freeze the function between attempts. A write this late could add a record to a day whose book is
      // closed.
      if (request[sinceFirst]() > staleAfterMs) throw new Stale();
      try {
        return await next(args);
      } catch (error) {
        if (mayHaveExecuted(error)) Object.assign(context, { [unansweredAttempt]: true });
        throw error;
      }
    },
    { step: 'finalizeRequest', priority: 'low', name: 'watchAttempts' },
  );
  middlewareStack.add(
    (next, context) => (args) =>
      next(args).catch((error: unknown) => {
        const isMarked = unansweredAttempt in context;
        throw isMarked ? Object.assign(error as Error, { [unansweredAttempt]: true }) : error;
      }),
    { step: 'initialize', priority: 'high', name: 'markOpenRequest' },
  );
}

/** Returns whether AWS may have carried out an attempt of the failed request, because the attempt got no response. */
export const hadUnansweredAttempt = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && unansweredAttempt in error;

export const sqs = /* @__PURE__ */ once(() => withoutLogger(new SQSClient(options)));
export const scheduler = /* @__PURE__ */ once(() => withoutLogger(new SchedulerClient(options)));
export const kms = /* @__PURE__ */ once(() => withoutLogger(new KMSClient(options)));
