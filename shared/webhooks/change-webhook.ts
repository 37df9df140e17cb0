import { queueNextStep } from './store-receiver.ts';
import { updateWebhook, viewOf, type WebhookFields, type WebhookView } from './webhooks.ts';

/**
 * Changes a webhook at its host's request. Switches the webhook on if it was off; its backlog is then
 * delivered to the new callback URL. Throws `Invalid webhook ID`.
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
