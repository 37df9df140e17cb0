import { lastSequenceOf } from '../../shared/accounts/records.ts';
import { readUser } from '../../shared/accounts/user.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { ticketsRoutes } from '../../shared/api/routes/tickets.ts';

export const handler = endpoint(ticketsRoutes['tickets/balance'], async ({ organizationId, path }) => {
  const user = await readUser(organizationId, path.user_id);
  return reply({ balance: user.balances.tickets, sequence: lastSequenceOf(user) });
});
