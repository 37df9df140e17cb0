import { readUser } from '../../shared/accounts/user.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { usersRoutes } from '../../shared/api/routes/users.ts';

export const handler = endpoint(usersRoutes['users/get'], async ({ organizationId, path }) => {
  const { user_id, external_reference, date_created } = await readUser(organizationId, path.user_id);
  return reply({ user_id, external_reference, date_created });
});
