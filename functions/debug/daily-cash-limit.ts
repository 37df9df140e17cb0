import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';
import { changeSettings } from '../../shared/games/settings.ts';

/** Sets the organization's daily cash limit, in whole USD. */
export const handler = endpoint(routes['debug/daily-cash-limit'], async ({ organizationId, body }) => {
  await changeSettings(organizationId, { daily_cash_limit_usd: body.cash_limit });
  return reply({ cash_limit: body.cash_limit });
});
