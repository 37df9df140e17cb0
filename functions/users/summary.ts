import { readUserSummary } from '../../shared/amoe/user-summary.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { usersRoutes } from '../../shared/api/routes/users.ts';

export const handler = endpoint(usersRoutes['users/summary'], async ({ organizationId, path, now }) =>
  reply(await readUserSummary(organizationId, path.user_id, now)),
);
