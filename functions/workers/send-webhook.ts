import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { currentStage, optionalVariable } from '../../shared/environment.ts';
import { log } from '../../shared/log.ts';
import type { DeliveryDeps } from '../../shared/webhooks/attempt.ts';
import { callRecorder } from '../../shared/webhooks/calls.ts';
import { deliverAll } from '../../shared/webhooks/delivery.ts';
import { parseDelivery } from '../../shared/webhooks/delivery-queue.ts';
import { guardedPost } from '../../shared/webhooks/post.ts';
import { parseDelays } from '../../shared/webhooks/retry-schedule.ts';

let deps: DeliveryDeps | undefined;

export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  deps ??= {
    post: guardedPost(currentStage()),
    record: callRecorder(),
    now: Date.now,
    random: Math.random,
    delays: parseDelays(optionalVariable('RETRY_DELAYS_SECONDS')),
  };
  const messages = Records.map(({ messageId, body }) => ({ messageId, message: parseDelivery(body) }));
  const settled = await deliverAll(
    messages.flatMap(({ message }) => message ?? []),
    deps,
  );
  const failed = messages.filter(({ message }) => !message || !settled.has(message));
  for (const { messageId, message } of failed) {
    // A message of unknown form returns to the queue. After repeated receives, SQS moves it to the dead-letter queue.
    if (!message) log.warn('unknown message on the queue of deliveries', { message_id: messageId });
  }
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}
