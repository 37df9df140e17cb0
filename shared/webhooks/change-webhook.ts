import { queueNextStep } from './store-receiver.ts';
import { updateWebhook, viewOf, type WebhookFields, type WebhookView } from './webhooks.ts';

/**
 * Changes a webhook at the host's request. If the webhook was off, switches it on and starts to deliver its
 * backlog to the new callback URL. Throws `Invalid webhook ID`.
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
