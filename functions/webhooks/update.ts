import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { webhooksRoutes } from '../../shared/api/routes/webhooks.ts';
import { changeWebhook } from '../../shared/webhooks/change-webhook.ts';

/**
 * Changes a webhook. If the secret is replaced, deliveries are signed with both the old and the new secret
 * for 24 hours.
 */
export const handler = endpoint(
  webhooksRoutes['webhooks/update'],
  async ({ organizationId, path, body, now }) =>
    reply(await changeWebhook(organizationId, path.webhook_id, body, now)),
);
