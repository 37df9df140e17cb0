import { debit } from '../../shared/accounts/ledger.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { ticketsRoutes } from '../../shared/api/routes/tickets.ts';

/** Takes tickets from a user's balance, at most once for each idempotency key and never below zero. */
export const handler = endpoint(
  ticketsRoutes['tickets/debit'],
  async ({ organizationId, path, body, suspended, now }) => {
    const { reply: receipt, replayed } = await debit({
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
