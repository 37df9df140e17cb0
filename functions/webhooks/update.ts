import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { webhooksRoutes } from '../../shared/api/routes/webhooks.ts';
import { throwSuspended, updateWebhook, webhookViewOf } from '../../shared/webhooks/webhooks.ts';

export const handler = endpoint(
  webhooksRoutes['webhooks/update'],
  async ({ organizationId, path, body, suspended, now }) => {
    if (suspended) return throwSuspended(organizationId, path.webhook_id);
    return reply(await webhookViewOf(await updateWebhook(organizationId, path.webhook_id, body, now)));
  },
);
