import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { handleShardMessage, parseShardMessage } from '../../shared/amoe/spin-run.ts';
import { log } from '../../shared/log.ts';

/**
 * Milliseconds before the function's timeout in which no transaction is started, because a transaction can
 * take 28 s.
 */
const reserveMs = 30_000;

/**
 * Maximum milliseconds that the function works on a shard, so that shards of other organizations soon get a
 * worker.
 */
const turnMs = 25_000;

export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const started = performance.now();
  const isTurnOver = () => performance.now() - started > turnMs;
  const clock = {
    now: Date.now,
    timeIsUp: () => isTurnOver() || context.getRemainingTimeInMillis() < reserveMs,
  };
  const failed: string[] = [];
  for (const { messageId, body } of Records) {
    const work = async () => handleShardMessage(parseShardMessage(body), clock);
    const done = await work().catch((error: unknown) => {
      log.failure('run-spins', error, { message_id: messageId });
      return false;
    });
    if (!done) failed.push(messageId);
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
