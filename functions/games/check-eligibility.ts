import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { gamesRoutes } from '../../shared/api/routes/games.ts';
import { readEligibility } from '../../shared/games/eligibility.ts';

export const handler = endpoint(
  gamesRoutes['games/check-eligibility'],
  async ({ organizationId, path, now }) => reply(await readEligibility(organizationId, path.user_id, now)),
);
