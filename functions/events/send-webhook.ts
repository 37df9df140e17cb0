import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { currentStage, optionalVariable } from '../../shared/environment.ts';
import { log } from '../../shared/log.ts';
import { count } from '../../shared/metrics.ts';
import { getAll } from '../../shared/table/client.ts';
import { webhookKey } from '../../shared/table/keys.ts';
import { callRecorder } from '../../shared/webhooks/calls.ts';
import { type Around, deliver } from '../../shared/webhooks/delivery.ts';
import { type Delivery, deliveryIn } from '../../shared/webhooks/delivery-queue.ts';
import { guardedPost } from '../../shared/webhooks/post.ts';
import { delaysFrom } from '../../shared/webhooks/retry-schedule.ts';
import type { Webhook } from '../../shared/webhooks/webhooks.ts';

let around: Around | undefined;

/** Makes one attempt for each delivery, all at a time. What could not be settled comes again. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  around ??= {
    post: guardedPost(currentStage()),
    record: callRecorder(),
    now: Date.now,
    random: Math.random,
    delays: delaysFrom(optionalVariable('RETRY_DELAYS_SECONDS')),
  };
  const deliveries = Records.map(({ body }) => deliveryIn(body));
  const webhooks = await webhooksOf(deliveries.filter((delivery) => delivery !== undefined));
  const settled = await Promise.allSettled(
    deliveries.map(async (delivery) => {
      // Only this one comes again, and lands with the dead letters in the end.
      if (!delivery) throw new Error('a message on the queue is no delivery');
      return deliver(delivery, webhooks.get(nameOf(delivery)), around!);
    }),
  );
  const verdicts = settled.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  const failures = verdicts.filter((verdict) => verdict === 'retried' || verdict === 'parked').length;
  if (failures > 0) count('FailedWebhookCalls', failures);
  const failed = Records.filter((_, index) => settled[index]!.status === 'rejected');
  for (const result of settled) {
    if (result.status === 'rejected') log.failure('delivery', result.reason);
  }
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

const nameOf = ({ organization_id, webhook_id }: Delivery) => `${organization_id} ${webhook_id}`;

/** The webhooks of deliveries as they are now, in one request. */
async function webhooksOf(deliveries: Delivery[]): Promise<Map<string, Webhook | undefined>> {
  const distinct = new Map(deliveries.map((delivery) => [nameOf(delivery), delivery]));
  const names = [...distinct.keys()];
  const keys = [...distinct.values()].map(({ organization_id, webhook_id }) =>
    webhookKey(organization_id, webhook_id),
  );
  const found = (await getAll(keys)) as (Webhook | undefined)[];
  return new Map(names.map((name, index) => [name, found[index]]));
}
