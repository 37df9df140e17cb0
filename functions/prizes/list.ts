import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { prizesRoutes } from '../../shared/api/routes/prizes.ts';
import { readPrizesOfUser } from '../../shared/prizes/claims.ts';

export const handler = endpoint(prizesRoutes['prizes/list'], async (request) => {
  const { organizationId, path, query, after, nextToken } = request;
  const { items, last } = await readPrizesOfUser(organizationId, path.user_id, { limit: query.limit, after });
  return reply({ items, next_token: nextToken(last) });
});
