import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { debugRoutes } from '../../shared/api/routes/debug.ts';
import { setDaysAhead } from '../../shared/operations/set-days-ahead.ts';

/** Advances the organization's calendar. Hosts see with this endpoint what midnight does. */
export const handler = endpoint(debugRoutes['debug/days-ahead'], async ({ organizationId, body, now }) => {
  const { days_ahead } = body;
  const day = await setDaysAhead(organizationId, days_ahead, { operator: 'debug route', now });
  return reply({ days_ahead, day });
});
