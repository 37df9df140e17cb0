import { readUser } from '../../shared/accounts/user.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { ticketsRoutes } from '../../shared/api/routes/tickets.ts';

/** Returns a user's current ticket balance. */
export const handler = endpoint(ticketsRoutes['tickets/balance'], async ({ organizationId, path }) => {
  const { balances } = await readUser(organizationId, path.user_id, { ifTampered: 'show' });
  return reply({ balance: balances.tickets });
});
