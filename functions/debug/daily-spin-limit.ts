import { changeSettings } from '../../shared/actions/change-settings.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { debugRoutes } from '../../shared/api/routes/debug.ts';

export const handler = endpoint(debugRoutes['debug/daily-spin-limit'], async (request) => {
  const { organizationId, body, now } = request;
  const context = { operator: 'debug route', now, despiteRules: true };
  await changeSettings(organizationId, { daily_spin_limit_on: body.on }, context);
  return reply(body);
});
