import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { debugRoutes } from '../../shared/api/routes/debug.ts';
import { resetOrganization } from '../../shared/operations/reset-organization.ts';

/**
 * Resets the organization: only its API keys, settings, prize tables and page settings stay. Hosts begin their tests
 * with this endpoint.
 */
export const handler = endpoint(debugRoutes['debug/reset'], async ({ organizationId, now }) => {
  await resetOrganization(organizationId, { operator: 'debug route', now });
  return reply({});
});
