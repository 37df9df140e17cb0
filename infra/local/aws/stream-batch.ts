import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { functionArn } from './arns.ts';
import { failedIdentifiers } from './batch-failures.ts';
import type { Clock } from './clock.ts';
import { invokeFunction, type LambdaFunction } from './invoke-function.ts';

/** How a stream's batches are handed over, and what happens to those that keep failing. */
export type BatchPolicy = {
  /** `handler` returns nothing or a `DynamoDBBatchResponse`. */
  function: LambdaFunction<DynamoDBStreamEvent>;
  streamArn: string;
  /** How often a batch is tried again before it is given up. */
  maximumRetryAttempts: number;
  /** Halves a batch that fails, to find the record that is to blame; halving uses up no retry. */
  bisectOnError?: boolean;
  /** Before the first retry; doubles up to 5 s. 200 by default. */
  retryDelayMilliseconds?: number;
  /** Takes the body of the message that tells of a batch given up. */
  onFailure?: (body: string) => void;
  /** Told of every failed call with its event, and of every failed look at the stream. */
  onError?: (error: unknown, event?: DynamoDBStreamEvent) => void;
  clock: Clock;
  signal: AbortSignal;
};

const longestDelay = 5000;

/**
 * Hands over records of one shard in order and resolves when each was taken or given up. Resolves to false if it was
 * stopped on the way, in which case some records were neither.
 */
export async function handOverBatch(
  shardId: string,
  records: DynamoDBRecord[],
  policy: BatchPolicy,
): Promise<boolean> {
  const { maximumRetryAttempts, bisectOnError, retryDelayMilliseconds = 200, clock, signal } = policy;
  let left = records;
  for (let attempt = 1; ; ) {
    if (signal.aborted) return false;
    const { taken, error } = await tryBatch(left, policy);
    if (taken === left.length) return true;
    if (taken > 0) {
      // Progress: what is left starts anew as a batch of its own.
      left = left.slice(taken);
      attempt = 1;
    } else if (bisectOnError && left.length > 1) {
      const middle = Math.ceil(left.length / 2);
      const first = await handOverBatch(shardId, left.slice(0, middle), policy);
      return first && handOverBatch(shardId, left.slice(middle), policy);
    } else if (attempt > maximumRetryAttempts) {
      policy.onFailure?.(failureBody(shardId, left, { attempt, error, policy }));
      return true;
    } else {
      await clock.wait(Math.min(retryDelayMilliseconds * 2 ** (attempt - 1), longestDelay), signal);
      attempt += 1;
    }
  }
}

const sequenceNumber = (record: DynamoDBRecord) => record.dynamodb?.SequenceNumber ?? '';

/** One call: how many records from the front were taken, and the error if not all. */
async function tryBatch(
  records: DynamoDBRecord[],
  { function: lambda, clock, onError }: BatchPolicy,
): Promise<{ taken: number; error?: unknown }> {
  const event = { Records: records };
  try {
    const failed = failedIdentifiers(await invokeFunction(lambda, event, clock), records.map(sequenceNumber));
    if (failed.size === 0) return { taken: records.length };
    const taken = records.findIndex((record) => failed.has(sequenceNumber(record)));
    onError?.(new Error(`stopped at record ${taken + 1} of ${records.length}`), event);
    return { taken };
  } catch (error) {
    onError?.(error, event);
    return { taken: 0, error };
  }
}

/** What Lambda sends to the on-failure destination of a stream: where the records are, not the records. */
function failureBody(
  shardId: string,
  records: DynamoDBRecord[],
  { attempt, error, policy }: { attempt: number; error: unknown; policy: BatchPolicy },
): string {
  const first = records[0]!;
  const last = records.at(-1)!;
  const arrival = (record: DynamoDBRecord) =>
    new Date((record.dynamodb?.ApproximateCreationDateTime ?? 0) * 1000).toISOString();
  return JSON.stringify({
    requestContext: {
      requestId: randomUUID(),
      functionArn: functionArn(policy.function.name),
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: attempt,
    },
    responseContext: {
      statusCode: 200,
      executedVersion: '$LATEST',
      ...(error !== undefined && { functionError: 'Unhandled' }),
    },
    version: '1.0',
    timestamp: new Date(policy.clock.now()).toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: sequenceNumber(first),
      endSequenceNumber: sequenceNumber(last),
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: records.length,
      streamArn: policy.streamArn,
    },
  });
}
