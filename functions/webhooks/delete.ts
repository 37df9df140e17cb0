import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { webhooksRoutes } from '../../shared/api/routes/webhooks.ts';
import { deleteWebhook, throwSuspended } from '../../shared/webhooks/webhooks.ts';

export const handler = endpoint(
  webhooksRoutes['webhooks/delete'],
  async ({ organizationId, path, suspended }) => {
    if (suspended) return throwSuspended(organizationId, path.webhook_id);
    await deleteWebhook(organizationId, path.webhook_id);
    return reply({ webhook_id: path.webhook_id });
  },
);
