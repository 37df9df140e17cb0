import { changeSettings } from '../../shared/actions/change-settings.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { debugRoutes } from '../../shared/api/routes/debug.ts';

export const handler = endpoint(debugRoutes['debug/daily-cash-limit'], async (request) => {
  const { organizationId, body, now } = request;
  const context = { operator: 'debug route', now, despiteRules: true };
  await changeSettings(organizationId, { daily_cash_limit_usd: body.cash_limit }, context);
  return reply(body);
});
