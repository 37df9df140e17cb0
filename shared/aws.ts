/**
 * The AWS clients. Each is created at its first use and shared by the whole process. A function's bundle
 * contains only the clients that it imports.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { leavesOpen, Stale, staleAfterMs } from './retry.ts';

// Three attempts of a hanging request end well before API Gateway's timeout of 29 s.
const options = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
};

/** Returns a function that calls `make` at its first call and returns the same result afterwards. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Removes the SDK's logging middleware from a client. The middleware spends time on every call although no
 * logger is set.
 */
export function unlogged<C extends { middlewareStack: { remove(name: string): boolean } }>(client: C): C {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

/** Returns the DynamoDB document client, which reads and writes items as plain objects. */
export const dynamodb = /* @__PURE__ */ once(() => {
  const client = DynamoDBDocumentClient.from(unlogged(new DynamoDBClient(options)), {
    marshallOptions: { removeUndefinedValues: true },
  });
  refuseStaleAttempts(client);
  markOpenAttempts(client);
  return client;
});

const firstSentAt = Symbol('when the first attempt of this request was sent');

/**
 * Makes the client throw Stale instead of repeating a request after Lambda froze the function for minutes.
 * Such a request may carry a record of a day whose book is closed by now.
 */
function refuseStaleAttempts({ middlewareStack }: DynamoDBDocumentClient): void {
  middlewareStack.add(
    (next, context) => (args) => {
      const request = context as { [firstSentAt]?: number };
      request[firstSentAt] ??= performance.now();
      if (performance.now() - request[firstSentAt] > staleAfterMs) throw new Stale();
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'refuseStaleAttempts' },
  );
}

const unansweredAttempt = Symbol('an attempt of this request got no answer');

/**
 * Makes the client mark the error of a request if one of its attempts got no answer. Without the mark, such a
 * request would look refused: the client throws the error of its last attempt, although an earlier one may
 * have been carried out.
 */
function markOpenAttempts({ middlewareStack }: DynamoDBDocumentClient): void {
  middlewareStack.add(
    (next, context) => (args) =>
      next(args).catch((error: unknown) => {
        if (leavesOpen(error)) Object.assign(context, { [unansweredAttempt]: true });
        throw error;
      }),
    { step: 'finalizeRequest', priority: 'low', name: 'noteOpenAttempt' },
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

/** Whether an earlier attempt of the failed request may have been carried out. */
export const mayBeDone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && unansweredAttempt in error;

/** Returns the SQS client. */
export const sqs = /* @__PURE__ */ once(() => unlogged(new SQSClient(options)));
/** Returns the client of EventBridge Scheduler. */
export const scheduler = /* @__PURE__ */ once(() => unlogged(new SchedulerClient(options)));
