import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { currentStage, optionalVariable } from '../../shared/environment.ts';
import { log } from '../../shared/log.ts';
import { callRecorder } from '../../shared/webhooks/calls.ts';
import { type DeliveryDeps, deliverAll } from '../../shared/webhooks/delivery.ts';
import { isDelivery, messageIn } from '../../shared/webhooks/delivery-queue.ts';
import { guardedPost } from '../../shared/webhooks/post.ts';
import { delaysFrom } from '../../shared/webhooks/retry-schedule.ts';

let deps: DeliveryDeps | undefined;

/** Makes one attempt for each delivery, all at a time. What could not be settled comes again. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  deps ??= {
    post: guardedPost(currentStage()),
    record: callRecorder(),
    now: Date.now,
    random: Math.random,
    delays: delaysFrom(optionalVariable('RETRY_DELAYS_SECONDS')),
  };
  const messages = Records.map(({ messageId, body }) => {
    const message = messageIn(body);
    return { messageId, delivery: message && isDelivery(message) ? message : undefined };
  });
  const deliveries = messages.flatMap(({ delivery }) => delivery ?? []);
  const settled = await deliverAll(deliveries, deps);
  const failed = messages.filter(({ delivery }) => !delivery || !settled.has(delivery));
  for (const { messageId, delivery } of failed) {
    // Only this one comes again, and lands with the dead letters in the end.
    if (!delivery) log.warn('a message on the queue is no delivery', { message_id: messageId });
  }
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}
