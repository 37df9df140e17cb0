import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { spinShards } from '../../shared/amoe/spin-orders.ts';
import { sendShards } from '../../shared/amoe/spin-queue.ts';
import { runShard } from '../../shared/amoe/spin-run.ts';
import { log } from '../../shared/log.ts';
import { dayOf, startOfDay } from '../../shared/time.ts';

const message = z.object({
  shard: z.int().check(z.minimum(0), z.maximum(spinShards - 1)),
  day: z.iso.date(),
});

/**
 * What is kept back of a function's time: the last transaction may meet trouble for 10 s and then hang in each of its
 * two calls, and a worker that is killed at it hands on to nobody.
 */
const reserveMs = 30_000;

/**
 * Works off the due orders of a shard. Before its time is up it hands on to a successor, by another message; at the
 * end, where an order could not be run, the message is left to be delivered again.
 */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const failed: string[] = [];
  for (const record of Records) {
    const done = await work(record, context).catch((error: unknown) => {
      log.failure('run-spins', error, { message_id: record.messageId });
      return false;
    });
    if (!done) failed.push(record.messageId);
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

async function work({ body }: SQSRecord, context: Context): Promise<boolean> {
  const { shard, day } = message.parse(JSON.parse(body));
  // A message that waited long works off what has come due since.
  const dueBy = dayOf(Math.max(startOfDay(day), Date.now()));
  const turn = await runShard(shard, dueBy, {
    now: Date.now,
    timeIsUp: () => context.getRemainingTimeInMillis() < reserveMs,
  });
  log.info('spins ran', { shard, ...turn });
  // Where nothing could be run, a successor would fare no better: the message comes again later, and is parked in the end.
  const isStuck = turn.failed > 0 && turn.spins === 0;
  if (!turn.unfinished || isStuck) return turn.failed === 0;
  await sendShards([{ shard, day }]);
  // The successor tries what failed again; were this message left to come again too, they would multiply.
  return true;
}
