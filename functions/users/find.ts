import { findUser } from '../../shared/accounts/references.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { usersRoutes } from '../../shared/api/routes/users.ts';

export const handler = endpoint(usersRoutes['users/find'], async ({ organizationId, query }) => {
  const { user_id, external_reference, date_created } = await findUser(
    organizationId,
    query.external_reference,
  );
  return reply({ user_id, external_reference, date_created });
});
