import { changeUserReference } from '../../shared/accounts/references.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { usersRoutes } from '../../shared/api/routes/users.ts';

export const handler = endpoint(usersRoutes['users/update'], async (request) => {
  const { organizationId, path, body, suspended } = request;
  const user = await changeUserReference(organizationId, path.user_id, body.external_reference, suspended);
  return reply({ user_id: user.user_id, date_created: user.date_created });
});
