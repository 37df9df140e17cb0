import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { failedIdentifiers } from './batch-failures.ts';
import type { Clock } from './clock.ts';

export type BatchPolicy = {
  /** Invokes the Lambda function, which may return a `DynamoDBBatchResponse`. */
  invoke: (event: DynamoDBStreamEvent) => Promise<unknown>;
  streamArn: string;
  /** After this many retries, a failed record is discarded and reported to `onFailure`. */
  maximumRetryAttempts: number;
  /** Delay in milliseconds before the first retry. Doubles with each retry, up to 5 s. Defaults to 200. */
  retryDelayMilliseconds?: number;
  onFailure?: (body: string) => void;
  /** Called with the event of each failed invocation, and without an event for a failure to read the stream. */
  onError?: (error: unknown, event?: DynamoDBStreamEvent) => void;
  clock: Clock;
  signal: AbortSignal;
};

const maxDelayMs = 5000;
/** Maximum age of a DynamoDB stream's records. */
const oneDaySeconds = 86_400;

/**
 * Delivers a shard's records in order until all have succeeded or were discarded. Bisecting a batch does not count as a
 * retry.
 */
export async function deliverBatch(
  shardId: string,
  records: DynamoDBRecord[],
  policy: BatchPolicy,
): Promise<void> {
  const { maximumRetryAttempts, retryDelayMilliseconds = 200, clock, signal } = policy;
  let left = records;
  for (let attempts = 0; left.length > 0 && !signal.aborted; ) {
    const young = left.filter((record) => !isTooOld(record, policy));
    if (young.length < left.length) {
      const old = left.slice(0, left.length - young.length);
      discard(shardId, old, { condition: 'RecordAgeExceeded', attempts }, policy);
      left = young;
      continue;
    }
    const taken = await tryBatch(left, policy);
    attempts += 1;
    if (taken > 0) {
      // If at least one record succeeded, counts the attempts for the remaining records from zero again.
      left = left.slice(taken);
      attempts = 0;
    } else if (left.length > 1) {
      const middle = Math.ceil(left.length / 2);
      await deliverBatch(shardId, left.slice(0, middle), policy);
      return deliverBatch(shardId, left.slice(middle), policy);
    } else if (attempts > maximumRetryAttempts) {
      return discard(shardId, left, { condition: 'RetryAttemptsExhausted', attempts }, policy);
    } else {
      await clock.wait(Math.min(retryDelayMilliseconds * 2 ** (attempts - 1), maxDelayMs), signal);
    }
  }
}

function isTooOld({ dynamodb }: DynamoDBRecord, { clock }: BatchPolicy): boolean {
  const { ApproximateCreationDateTime: created = Number.POSITIVE_INFINITY } = dynamodb ?? {};
  return created * 1000 < clock.now() - oneDaySeconds * 1000;
}

const sequenceNumber = (record: DynamoDBRecord) => record.dynamodb?.SequenceNumber ?? '';
const arrivalOf = ({ dynamodb }: DynamoDBRecord) =>
  new Date((dynamodb?.ApproximateCreationDateTime ?? 0) * 1000).toISOString();

/** Invokes the Lambda function once. Returns the number of records that succeeded before the first failed record. */
async function tryBatch(records: DynamoDBRecord[], { invoke, onError }: BatchPolicy): Promise<number> {
  const event = { Records: records };
  try {
    const failed = failedIdentifiers(await invoke(event), records.map(sequenceNumber));
    if (failed.size === 0) return records.length;
    const taken = records.findIndex((record) => failed.has(sequenceNumber(record)));
    onError?.(new Error(`stopped at record ${taken + 1} of ${records.length}`), event);
    return taken;
  } catch (error) {
    onError?.(error, event);
    return 0;
  }
}

/** Calls `onFailure` with Lambda's message for a discarded batch. The message has sequence numbers, but no records. */
function discard(
  shardId: string,
  records: DynamoDBRecord[],
  why: { condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded'; attempts: number },
  { streamArn, clock, onFailure }: BatchPolicy,
): void {
  const body = {
    requestContext: { condition: why.condition, approximateInvokeCount: why.attempts },
    timestamp: new Date(clock.now()).toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: sequenceNumber(records[0]!),
      endSequenceNumber: sequenceNumber(records.at(-1)!),
      approximateArrivalOfFirstRecord: arrivalOf(records[0]!),
      approximateArrivalOfLastRecord: arrivalOf(records.at(-1)!),
      batchSize: records.length,
      streamArn,
    },
  };
  onFailure?.(JSON.stringify(body));
}
