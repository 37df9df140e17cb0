import { createUser } from '../../shared/accounts/references.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { usersRoutes } from '../../shared/api/routes/users.ts';

export const handler = endpoint(usersRoutes['users/create'], async (request) => {
  const { organizationId, body, now, losesAnswer } = request;
  const created = await createUser(organizationId, body.external_reference, now, losesAnswer);
  const { user_id, date_created, replayed } = created;
  return reply({ user_id, date_created }, { replayed });
});
