import { changeReference } from '../../shared/accounts/references.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';

/** Gives a user another reference. */
export const handler = endpoint(routes['users/update'], async ({ organizationId, path, body }) => {
  const user = await changeReference(organizationId, path.user_id, body.external_reference);
  return reply({ user_id: user.user_id, date_created: user.date_created });
});
