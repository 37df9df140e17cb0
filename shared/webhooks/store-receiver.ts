/** Stores the state of a webhook's receiver in the webhook's DynamoDB item. */
import { isDeepStrictEqual } from 'node:util';
import { faultRefusals } from '../refusals.ts';
import { putUnless } from '../table/client.ts';
import { type BacklogStep, enqueue } from './delivery-queue.ts';
import { afterEvent, openBacklog, type ReceiverEvent } from './receiver.ts';
import { type Webhook, webhookUnchanged } from './webhooks.ts';

/** Stores a receiver's state after an event. Returns undefined if nothing changed or another writer was first. */
export async function moveReceiver(webhook: Webhook, event: ReceiverEvent): Promise<Webhook | undefined> {
  const after = afterEvent(webhook.receiver, event);
  if (after === webhook.receiver) return undefined;
  const { receiver: before, ...rest } = webhook;
  const moved = { ...rest, ...(after && { receiver: after }), version: webhook.version + 1 };
  const stored = (await putUnless(moved, webhookUnchanged(webhook))) as Webhook | undefined;
  if (!stored) return moved;
  const isSame = stored.pk !== undefined && isDeepStrictEqual(before, stored.receiver);
  // If another request has changed only other fields, such as the URL, stores the event together with that change.
  return isSame ? moveReceiver(stored, event) : undefined;
}

/** Returns the message of the backlog's next step or, without a backlog, of step 0, which may start one. */
export const stepOf = (webhook: Webhook): BacklogStep => ({
  organization_id: webhook.organization_id,
  webhook_id: webhook.webhook_id,
  step: openBacklog(webhook)?.step ?? 0,
});

/** Queues a backlog's next step, if any. Throws `outcome_unknown` if SQS did not confirm the message. */
export async function queueNextStep(webhook: Webhook): Promise<void> {
  if (openBacklog(webhook) && (await enqueue([stepOf(webhook)])).length > 0)
    throw faultRefusals.outcomeUnknown();
}
