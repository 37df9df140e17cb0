import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { shardMessageIn, workOffShard } from '../../shared/amoe/spin-run.ts';
import { log } from '../../shared/log.ts';

/**
 * What is kept back of a function's time: the last transaction may be tried again for 10 s and then hang in each of
 * its two calls, and a worker that is killed at it hands on to nobody.
 */
const reserveMs = 30_000;

/** How long a worker is at one shard before another gets its turn: nobody waits for long for one who has much to do. */
const turnMs = 25_000;

/** Works off the due orders of a shard for each message. A message that could not be settled is delivered again. */
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
