import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { shardMessageIn, workOffShard } from '../../shared/amoe/spin-run.ts';
import { log } from '../../shared/log.ts';

/**
 * The function starts no transaction in the last 30 s before its timeout. A transaction takes up to 28 s: 10
 * s of retries, and then two calls that time out after 9 s each. If Lambda stopped the function at its
 * timeout, the function could not queue a message for the shard's remaining orders.
 */
const reserveMs = 30_000;

/**
 * Maximum time in milliseconds for which an invocation works on a shard, so that an organization with many
 * spins does not delay other organizations.
 */
const turnMs = 25_000;

/** Runs the due spin orders of one shard per SQS message. Failed messages return to the queue. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const started = performance.now();
  const isTurnOver = () => performance.now() - started > turnMs;
  const clock = {
    now: Date.now,
    timeIsUp: () => isTurnOver() || context.getRemainingTimeInMillis() < reserveMs,
  };
  const failed: string[] = [];
  for (const { messageId, body } of Records) {
    const work = async () => workOffShard(shardMessageIn(body), clock);
    const done = await work().catch((error: unknown) => {
      log.failure('run-spins', error, { message_id: messageId });
      return false;
    });
    if (!done) failed.push(messageId);
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
