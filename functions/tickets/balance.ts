import { readUser } from '../../shared/accounts/user.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { ticketsRoutes } from '../../shared/api/routes/tickets.ts';

/** Reads a user's ticket balance as it is now. */
export const handler = endpoint(ticketsRoutes['tickets/balance'], async ({ organizationId, path }) => {
  const { balances } = await readUser(organizationId, path.user_id);
  return reply({ balance: balances.tickets });
});
