/** Stores the state of a webhook's receiver in the webhook's DynamoDB item. */
import { refusals } from '../refusals.ts';
import { update } from '../table/client.ts';
import { webhookKey } from '../table/webhook-keys.ts';
import { type BacklogStep, enqueue } from './delivery-queue.ts';
import { afterEvent, openBacklog, type ReceiverEvent } from './receiver.ts';
import type { Webhook } from './webhooks.ts';

/** Stores a receiver's state after an event. Returns undefined if nothing changed or another writer was first. */
export async function moveReceiver(webhook: Webhook, event: ReceiverEvent): Promise<Webhook | undefined> {
  const { organization_id, webhook_id, receiver: before } = webhook;
  const after = afterEvent(before, event);
  if (after === before) return undefined;
  const written = await update({
    Key: webhookKey(organization_id, webhook_id),
    UpdateExpression: `${after ? 'SET receiver = :after' : 'REMOVE receiver'} ADD version :one`,
    ConditionExpression: before
      ? 'receiver = :before'
      : 'attribute_exists(pk) AND attribute_not_exists(receiver)',
    ExpressionAttributeValues: {
      ...(before && { ':before': before }),
      ...(after && { ':after': after }),
      ':one': 1,
    },
  });
  if (!written) return undefined;
  const { receiver: _, ...rest } = webhook;
  return { ...rest, ...(after && { receiver: after }), version: webhook.version + 1 };
}

/** Returns the message of the backlog's next step or, without a backlog, of step 0, which may start one. */
export const stepOf = (webhook: Webhook): BacklogStep => ({
  organization_id: webhook.organization_id,
  webhook_id: webhook.webhook_id,
  step: openBacklog(webhook)?.step ?? 0,
});

/** Queues a backlog's next step, if any. Throws `outcome_unknown` if SQS did not confirm the message. */
export async function queueNextStep(webhook: Webhook): Promise<void> {
  if (openBacklog(webhook) && (await enqueue([stepOf(webhook)])).length > 0) throw refusals.outcomeUnknown();
}
