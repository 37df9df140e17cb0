import type * as z from 'zod/mini';
import { historyPage } from '../../shared/accounts/history.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';
import type { outcome } from '../../shared/api/schemas.ts';

/** Lists a user's game outcomes, newest first. */
export const handler = endpoint(routes['games/history'], async ({ organizationId, path, query }) => {
  const page = await historyPage<z.output<typeof outcome>>(organizationId, path.user_id, 'outcomes', query);
  return reply({ items: page.items, next_token: page.nextToken });
});
