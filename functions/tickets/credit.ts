import { credit } from '../../shared/accounts/ledger.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { ticketsRoutes } from '../../shared/api/routes/tickets.ts';

/** Adds tickets to a user's balance, at most once for each idempotency key. */
export const handler = endpoint(
  ticketsRoutes['tickets/credit'],
  async ({ organizationId, path, body, suspended, now }) => {
    const { reply: receipt, replayed } = await credit({
      organizationId,
      userId: path.user_id,
      account: 'tickets',
      change: body,
      suspended,
      now,
    });
    const { balance, ...made } = receipt;
    return reply({ user_id: path.user_id, new_ticket_balance: balance, ...made }, { replayed });
  },
);
