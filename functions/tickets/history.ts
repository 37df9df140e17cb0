import { readHistoryPage } from '../../shared/accounts/history.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { ticketsRoutes } from '../../shared/api/routes/tickets.ts';

export const handler = endpoint(ticketsRoutes['tickets/history'], async (request) => {
  const { items, last } = await readHistoryPage('tickets', request);
  const { limit } = request.query;
  return reply({ limit, next_token: request.nextToken(last), transactions: items });
});
