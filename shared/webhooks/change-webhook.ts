import { queueNextStep } from './store-receiver.ts';
import { updateWebhook, viewOf, type WebhookFields, type WebhookView } from './webhooks.ts';

/** Changes a webhook. If the webhook was off, switches it on and queues its backlog. Throws `webhookNotFound`. */
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
