import { historyPage } from '../../shared/accounts/history.ts';
import type { OutcomeRecord } from '../../shared/accounts/records.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { gamesRoutes } from '../../shared/api/routes/games.ts';
import { outcomeOf } from '../../shared/games/outcomes.ts';

export const handler = endpoint(gamesRoutes['games/history'], async (request) => {
  const { organizationId, path, query, after, nextToken } = request;
  const page = { limit: query.limit, after };
  const { items, last } = await historyPage<OutcomeRecord>(organizationId, path.user_id, 'outcomes', page);
  return reply({ items: items.map(outcomeOf), next_token: nextToken(last) });
});
