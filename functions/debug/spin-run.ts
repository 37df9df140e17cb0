import { startSpinRunNow } from '../../shared/amoe/start-spin-run.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { debugRoutes } from '../../shared/api/routes/debug.ts';

export const handler = endpoint(debugRoutes['debug/spin-run'], async ({ organizationId, now }) =>
  reply({ started: await startSpinRunNow(organizationId, now) }),
);
