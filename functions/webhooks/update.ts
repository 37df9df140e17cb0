import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { webhooksRoutes } from '../../shared/api/routes/webhooks.ts';
import { changeWebhook } from '../../shared/webhooks/change-webhook.ts';
import { refuseSuspended } from '../../shared/webhooks/webhooks.ts';

/** Changes a webhook. For 24 hours after a change of the secret, deliveries have signatures of both secrets. */
export const handler = endpoint(
  webhooksRoutes['webhooks/update'],
  async ({ organizationId, path, body, suspended, now }) => {
    if (suspended) return refuseSuspended(organizationId, path.webhook_id);
    return reply(await changeWebhook(organizationId, path.webhook_id, body, now));
  },
);
