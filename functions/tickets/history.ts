import type * as z from 'zod/mini';
import { historyPage } from '../../shared/accounts/history.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';
import type { ticketTransaction } from '../../shared/api/schemas.ts';

/** Lists a user's ticket transactions, newest first. */
export const handler = endpoint(routes['tickets/history'], async ({ organizationId, path, query }) => {
  const page = await historyPage<z.output<typeof ticketTransaction>>(
    organizationId,
    path.user_id,
    'tickets',
    query,
  );
  return reply({
    limit: query.limit,
    next_token: page.nextToken,
    transactions: page.items,
  });
});
