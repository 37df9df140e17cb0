import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { webhooksRoutes } from '../../shared/api/routes/webhooks.ts';
import { readWebhook, viewOf } from '../../shared/webhooks/webhooks.ts';

export const handler = endpoint(webhooksRoutes['webhooks/get'], async ({ organizationId, path }) =>
  reply(await viewOf(await readWebhook(organizationId, path.webhook_id))),
);
