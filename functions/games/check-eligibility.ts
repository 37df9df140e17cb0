import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';
import { checkEligibility } from '../../shared/games/eligibility.ts';

/** Checks whether a user can play, without starting a session. */
export const handler = endpoint(routes['games/check-eligibility'], async ({ organizationId, path, now }) =>
  reply(await checkEligibility(organizationId, path.user_id, now)),
);
