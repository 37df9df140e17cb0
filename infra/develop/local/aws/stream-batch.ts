import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { failedIdentifiers } from './batch-failures.ts';
import type { Clock } from './clock.ts';

/** How a stream's batches are handed over, and what happens to those that keep failing. */
export type BatchPolicy = {
  /** Calls the function, which returns nothing or a `DynamoDBBatchResponse`. */
  invoke: (event: DynamoDBStreamEvent) => Promise<unknown>;
  streamArn: string;
  /** How often a batch is tried again before it is given up. */
  maximumRetryAttempts: number;
  /** Records that are older are given up. A day by default: a stream keeps none for longer. */
  maximumRecordAgeSeconds?: number;
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
const oneDaySeconds = 86_400;

/**
 * Hands over records of one shard in order and resolves when each was taken or given up, or when it was stopped. A
 * batch that fails is halved, to find the record that is to blame, which uses up no retry.
 */
export async function handOverBatch(
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
      giveUp(shardId, old, { condition: 'RecordAgeExceeded', attempts }, policy);
      left = young;
      continue;
    }
    const taken = await tryBatch(left, policy);
    attempts += 1;
    if (taken > 0) {
      // Progress: what is left starts anew as a batch of its own.
      left = left.slice(taken);
      attempts = 0;
    } else if (left.length > 1) {
      const middle = Math.ceil(left.length / 2);
      await handOverBatch(shardId, left.slice(0, middle), policy);
      return handOverBatch(shardId, left.slice(middle), policy);
    } else if (attempts > maximumRetryAttempts) {
      return giveUp(shardId, left, { condition: 'RetryAttemptsExhausted', attempts }, policy);
    } else {
      await clock.wait(Math.min(retryDelayMilliseconds * 2 ** (attempts - 1), longestDelay), signal);
    }
  }
}

function isTooOld({ dynamodb }: DynamoDBRecord, { maximumRecordAgeSeconds, clock }: BatchPolicy): boolean {
  const { ApproximateCreationDateTime: created = Number.POSITIVE_INFINITY } = dynamodb ?? {};
  return created * 1000 < clock.now() - (maximumRecordAgeSeconds ?? oneDaySeconds) * 1000;
}

const sequenceNumber = (record: DynamoDBRecord) => record.dynamodb?.SequenceNumber ?? '';
const arrivalOf = ({ dynamodb }: DynamoDBRecord) =>
  new Date((dynamodb?.ApproximateCreationDateTime ?? 0) * 1000).toISOString();

/** One call: how many records from the front were taken. */
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

/** Tells the on-failure destination what Lambda tells it: where the records are, and none of what they hold. */
function giveUp(
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
