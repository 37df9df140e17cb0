import { recordClaimStep } from '../../shared/actions/step-prize.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { prizesRoutes } from '../../shared/api/routes/prizes.ts';

export const handler = endpoint(prizesRoutes['prizes/update'], async (request) => {
  const { organizationId, keyId, path, body: step, suspended, now } = request;
  const operator = `API key ${keyId}`;
  return reply(
    await recordClaimStep({ organizationId, prizeId: path.prize_id, step, operator, suspended, now }),
  );
});
