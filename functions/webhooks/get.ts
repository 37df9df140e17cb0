import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { webhooksRoutes } from '../../shared/api/routes/webhooks.ts';
import { readWebhook, webhookViewOf } from '../../shared/webhooks/webhooks.ts';

export const handler = endpoint(webhooksRoutes['webhooks/get'], async ({ organizationId, path }) =>
  reply(await webhookViewOf(await readWebhook(organizationId, path.webhook_id))),
);
