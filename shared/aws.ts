/**
 * Creates the AWS clients. Each client is created at its first use and shared by the whole process. A Lambda
 * function's bundle contains only the clients that the function uses.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { leavesOpen, Stale, staleAfterMs } from './retry.ts';

// Options of all AWS clients, with timeouts in milliseconds. Even if AWS does not respond, all three attempts
// end well before API Gateway's timeout of 29 s.
const options = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
};

/** Returns a function that calls `make` on the first call and returns the same result on every later call. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Removes the SDK's logging middleware from a client. The middleware costs time on every call, although no
 * logger is set.
 */
export function unlogged<C extends { middlewareStack: { remove(name: string): boolean } }>(client: C): C {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

/** Returns the DynamoDB document client, which takes and returns items as plain objects. */
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
 * Makes the client throw Stale if it would repeat a request more than a minute after the first attempt. Such
 * a delay means that Lambda froze the function. A late attempt could write a record into a day whose book is
 * already closed.
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
 * Makes the client mark a request's error if any of its attempts got no response. The client only throws the
 * error of the last attempt. Without the mark, a request would look refused although an earlier attempt may
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

/** Returns whether an attempt of the failed request may have been carried out, because it got no response. */
export const mayBeDone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && unansweredAttempt in error;

export const sqs = /* @__PURE__ */ once(() => unlogged(new SQSClient(options)));
/** Returns the client for EventBridge Scheduler. */
export const scheduler = /* @__PURE__ */ once(() => unlogged(new SchedulerClient(options)));
