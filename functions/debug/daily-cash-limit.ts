import { changeSettings } from '../../shared/actions/change-settings.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { debugRoutes } from '../../shared/api/routes/debug.ts';

export const handler = endpoint(
  debugRoutes['debug/daily-cash-limit'],
  async ({ organizationId, body, now }) => {
    await changeSettings(
      organizationId,
      { daily_cash_limit_usd: body.cash_limit },
      { operator: 'debug route', now, despiteRules: true },
    );
    return reply({ cash_limit: body.cash_limit });
  },
);
