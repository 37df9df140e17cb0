import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { shardMessageIn, workOffShard } from '../../shared/amoe/spin-run.ts';
import { log } from '../../shared/log.ts';

/**
 * Time in milliseconds before the function's timeout in which no transaction is started. A transaction is
 * retried for 10 s and may then hang in two calls. A worker that is killed meanwhile cannot queue the rest of
 * its shard.
 */
const reserveMs = 30_000;

/**
 * Time slice of a shard in milliseconds, so that an organization with many spins does not delay the others.
 */
const turnMs = 25_000;

/** Runs the due orders of a shard for each message. Failed messages return to the queue. */
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
