import type * as z from 'zod/mini';
import { historyPage } from '../../shared/accounts/history.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { gamesRoutes } from '../../shared/api/routes/games.ts';
import type { outcome } from '../../shared/api/schemas.ts';

/** Lists a user's game outcomes, newest first. */
export const handler = endpoint(gamesRoutes['games/history'], async (request) => {
  const { organizationId, path, query, after, nextToken } = request;
  const { items, last } = await historyPage<z.output<typeof outcome>>(
    organizationId,
    path.user_id,
    'outcomes',
    { limit: query.limit, after },
  );
  return reply({ items, next_token: nextToken(last) });
});
