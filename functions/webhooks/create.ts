import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { webhooksRoutes } from '../../shared/api/routes/webhooks.ts';
import { registerWebhook } from '../../shared/webhooks/webhooks.ts';

export const handler = endpoint(webhooksRoutes['webhooks/create'], async ({ organizationId, body, now }) =>
  reply(await registerWebhook(organizationId, body, now)),
);
