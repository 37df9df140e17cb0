import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { webhooksRoutes } from '../../shared/api/routes/webhooks.ts';
import { callView, readCallHistory } from '../../shared/webhooks/calls.ts';

export const handler = endpoint(webhooksRoutes['webhooks/history'], async (request) => {
  const { organizationId, query, now, after, nextToken } = request;
  const { limit, ...filter } = query;
  const { items, last } = await readCallHistory(organizationId, filter, { limit, after }, now);
  const is_all = last === undefined;
  return reply({ calls: items.map(callView), next_token: nextToken(last), limit, is_all });
});
