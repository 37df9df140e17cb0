import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';
import { callHistory, callView } from '../../shared/webhooks/calls.ts';

/** Lists the calls made to an organization's webhooks, oldest first. */
export const handler = endpoint(routes['webhooks/history'], async ({ organizationId, query, now }) => {
  const { calls, next_token, is_all } = await callHistory(organizationId, query, query, now);
  return reply({ calls: calls.map(callView), next_token, limit: query.limit, is_all });
});
