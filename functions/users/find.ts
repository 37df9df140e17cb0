import { findUser } from '../../shared/accounts/references.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';

/** Looks a user up by the host's own reference. */
export const handler = endpoint(routes['users/find'], async ({ organizationId, query }) => {
  const { user_id, external_reference, date_created } = await findUser(
    organizationId,
    query.external_reference,
  );
  return reply({ user_id, external_reference, date_created });
});
