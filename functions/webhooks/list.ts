import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { webhooksRoutes } from '../../shared/api/routes/webhooks.ts';
import { listWebhooks } from '../../shared/webhooks/list-webhooks.ts';

export const handler = endpoint(webhooksRoutes['webhooks/list'], async (request) => {
  const { organizationId, query, after, nextToken } = request;
  const { items: webhooks, last } = await listWebhooks(organizationId, { limit: query.limit, after });
  return reply({ webhooks, next_token: nextToken(last) });
});
