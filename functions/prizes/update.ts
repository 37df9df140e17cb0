import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { prizesRoutes } from '../../shared/api/routes/prizes.ts';
import { stepClaim } from '../../shared/prizes/claims.ts';

export const handler = endpoint(prizesRoutes['prizes/update'], async (request) => {
  const { organizationId, keyId, path, body: step, suspended, now } = request;
  const operator = `API key ${keyId}`;
  return reply(await stepClaim({ organizationId, prizeId: path.prize_id, step, operator, suspended, now }));
});
