/** Changes a webhook for its host. */
import { queueNextStep } from './store-receiver.ts';
import { updateWebhook, viewOf, type WebhookFields, type WebhookView } from './webhooks.ts';

/**
 * Changes a webhook, and switches it on if it was off: its callback, as it is now, is told what it was not
 * told meanwhile. Throws `Invalid webhook ID`.
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
