import { changeSettings } from '../../shared/actions/change-settings.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { debugRoutes } from '../../shared/api/routes/debug.ts';

export const handler = endpoint(
  debugRoutes['debug/daily-spin-limit'],
  async ({ organizationId, body, now }) => {
    await changeSettings(
      organizationId,
      { daily_spin_limit_on: body.on },
      { operator: 'debug route', now, despiteRules: true },
    );
    return reply({ on: body.on });
  },
);
