import type * as z from 'zod/mini';
import { historyPage } from '../../shared/accounts/history.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { ticketsRoutes } from '../../shared/api/routes/tickets.ts';
import type { ticketTransaction } from '../../shared/api/schemas.ts';

export const handler = endpoint(ticketsRoutes['tickets/history'], async (request) => {
  const { organizationId, path, query, after, nextToken } = request;
  const { items, last } = await historyPage<z.output<typeof ticketTransaction>>(
    organizationId,
    path.user_id,
    'tickets',
    { limit: query.limit, after },
  );
  return reply({ limit: query.limit, next_token: nextToken(last), transactions: items });
});
