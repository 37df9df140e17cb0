import { readHistoryPage } from '../../shared/accounts/history.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { gamesRoutes } from '../../shared/api/routes/games.ts';
import { outcomeOf } from '../../shared/games/outcomes.ts';

export const handler = endpoint(gamesRoutes['games/history'], async (request) => {
  const { items, last } = await readHistoryPage('outcomes', request);
  return reply({ items: items.map(outcomeOf), next_token: request.nextToken(last) });
});
