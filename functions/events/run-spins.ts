import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { shardMessageIn, workOffShard } from '../../shared/amoe/spin-run.ts';
import { log } from '../../shared/log.ts';

/**
 * No transaction starts in the last 30 s before the function's timeout. A transaction is retried for 10 s and
 * can then hang in two calls. A function that Lambda kills could not queue the rest of its shard.
 */
const reserveMs = 30_000;

/**
 * Maximum time in milliseconds for one shard per message, so that an organization with many spins does not
 * delay others.
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
