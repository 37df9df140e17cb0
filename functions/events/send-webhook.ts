import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { currentStage, optionalVariable } from '../../shared/environment.ts';
import { log } from '../../shared/log.ts';
import { callRecorder } from '../../shared/webhooks/calls.ts';
import { catchUpAll } from '../../shared/webhooks/catch-up.ts';
import { type DeliveryDeps, deliverAll } from '../../shared/webhooks/delivery.ts';
import { isCatchUp, isDelivery, type Message, messageIn } from '../../shared/webhooks/delivery-queue.ts';
import { guardedPost } from '../../shared/webhooks/post.ts';
import { delaysFrom } from '../../shared/webhooks/retry-schedule.ts';

let deps: DeliveryDeps | undefined;

/**
 * Makes one attempt for each delivery, and takes a step for each webhook that catches up, all at a time. What could not
 * be settled comes again.
 */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  deps ??= {
    post: guardedPost(currentStage()),
    record: callRecorder(),
    now: Date.now,
    random: Math.random,
    delays: delaysFrom(optionalVariable('RETRY_DELAYS_SECONDS')),
  };
  const messages = Records.map(({ messageId, body }) => ({ messageId, message: messageIn(body) }));
  const known = messages.flatMap(({ message }) => message ?? []);
  const [sent, taken] = await Promise.all([
    deliverAll(known.filter(isDelivery), deps),
    catchUpAll(known.filter(isCatchUp), deps),
  ]);
  const settled = new Set<Message>([...sent, ...taken]);
  const failed = messages.filter(({ message }) => !message || !settled.has(message));
  for (const { messageId, message } of failed) {
    // Only this one comes again, and lands with the dead letters in the end.
    if (!message)
      log.warn('a message on the queue is neither a delivery nor a step', { message_id: messageId });
  }
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}
