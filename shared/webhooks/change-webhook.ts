import { queueNextStep } from './store-receiver.ts';
import { updateWebhook, viewOf, type WebhookFields, type WebhookView } from './webhooks.ts';

/**
 * Changes a webhook for its host and switches it on if it was off; its backlog then continues to the new
 * callback. Throws `Invalid webhook ID`.
 */
export async function changeWebhook(
  organizationId: string,
  webhookId: string,
  fields: WebhookFields,
  now: number,
): Promise<WebhookView> {
  const webhook = await updateWebhook(organizationId, webhookId, fields, now);
  await queueNextStep(webhook);
  return viewOf(webhook);
}
