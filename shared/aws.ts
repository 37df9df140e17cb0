/**
 * The clients of AWS, one of each in a process, made when they are first asked for. A bundle holds only those whose
 * function it imports.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { leavesOpen, Stale, staleAfterMs } from './retry.ts';

// A request that hangs is given up and sent again well before the gateway gives up on us.
const options = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
};

/** Calls `make` when its result is first needed, and never again. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Without the middleware that logs each call: it picks out what may be logged of every request and answer, and then has
 * no logger to give it to.
 */
export function unlogged<C extends { middlewareStack: { remove(name: string): boolean } }>(client: C): C {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

/** DynamoDB, with items as plain objects. */
export const dynamodb = /* @__PURE__ */ once(() => {
  const client = DynamoDBDocumentClient.from(unlogged(new DynamoDBClient(options)), {
    marshallOptions: { removeUndefinedValues: true },
  });
  sendNothingStale(client);
  markOpenAttempts(client);
  return client;
});

const begun = Symbol('when the first attempt was sent');

/**
 * Throws Stale instead of sending a request again after the function was frozen: it is of a time long before, and may be
 * of a day that is closed.
 */
function sendNothingStale({ middlewareStack }: DynamoDBDocumentClient): void {
  middlewareStack.add(
    (next, context) => (args) => {
      const sent = context as { [begun]?: number };
      sent[begun] ??= performance.now();
      if (performance.now() - sent[begun] > staleAfterMs) throw new Stale();
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'sendNothingStale' },
  );
}

const open = Symbol('an attempt of this request got no answer');

/**
 * The client sends a request up to three times, and throws the last error: a refusal, say, of a request whose first
 * attempt got no answer. Marks such an error.
 */
function markOpenAttempts({ middlewareStack }: DynamoDBDocumentClient): void {
  middlewareStack.add(
    (next, context) => (args) =>
      next(args).catch((error: unknown) => {
        if (leavesOpen(error)) Object.assign(context, { [open]: true });
        throw error;
      }),
    { step: 'finalizeRequest', priority: 'low', name: 'noteOpenAttempt' },
  );
  middlewareStack.add(
    (next, context) => (args) =>
      next(args).catch((error: unknown) => {
        throw open in context ? Object.assign(error as Error, { [open]: true }) : error;
      }),
    { step: 'initialize', priority: 'high', name: 'markOpenRequest' },
  );
}

/** Whether an earlier attempt of a request that failed may have been carried out. */
export const mayBeDone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && open in error;
/** SQS. */
export const sqs = /* @__PURE__ */ once(() => unlogged(new SQSClient(options)));
/** EventBridge Scheduler. */
export const scheduler = /* @__PURE__ */ once(() => unlogged(new SchedulerClient(options)));
