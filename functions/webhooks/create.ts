import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { webhooksRoutes } from '../../shared/api/routes/webhooks.ts';
import { createWebhook } from '../../shared/webhooks/webhooks.ts';

export const handler = endpoint(webhooksRoutes['webhooks/create'], async ({ organizationId, body, now }) =>
  reply(await createWebhook(organizationId, body, now)),
);
