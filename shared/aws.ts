/**
 * The clients of AWS, one of each in a process, made when they are first asked for. A bundle holds only those whose
 * function it imports.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

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

/** DynamoDB, with items as plain objects. */
export const dynamodb = /* @__PURE__ */ once(() =>
  DynamoDBDocumentClient.from(new DynamoDBClient(options), {
    marshallOptions: { removeUndefinedValues: true },
  }),
);
/** SQS. */
export const sqs = /* @__PURE__ */ once(() => new SQSClient(options));
/** EventBridge Scheduler. */
export const scheduler = /* @__PURE__ */ once(() => new SchedulerClient(options));
/** KMS. */
export const kms = /* @__PURE__ */ once(() => new KMSClient(options));
