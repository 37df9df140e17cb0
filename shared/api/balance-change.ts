import type { credit } from '../accounts/ledger.ts';
import { endpoint, reply } from './endpoint.ts';
import type { entriesRoutes } from './routes/entries.ts';
import type { ticketsRoutes } from './routes/tickets.ts';

/** An endpoint that credits or debits tickets, at most once for each idempotency key. */
export const ticketChangeEndpoint = (
  route: (typeof ticketsRoutes)['tickets/credit' | 'tickets/debit'],
  change: typeof credit,
) =>
  endpoint(route, async ({ organizationId, path, body, suspended, now }) => {
    const request = { organizationId, userId: path.user_id, account: 'tickets', suspended, now } as const;
    const { reply: receipt, replayed } = await change({ ...request, change: body });
    const { balance, ...made } = receipt;
    return reply({ user_id: path.user_id, new_ticket_balance: balance, ...made }, { replayed });
  });

/** An endpoint that credits or debits entries, at most once for each idempotency key. */
export const entryChangeEndpoint = (
  route: (typeof entriesRoutes)['entries/credit' | 'entries/debit'],
  change: typeof credit,
) =>
  endpoint(route, async ({ organizationId, path, body: { type, ...body }, suspended, now }) => {
    const request = { organizationId, userId: path.user_id, account: type, suspended, now };
    const { reply: receipt, replayed } = await change({ ...request, change: body });
    const { balance, ...made } = receipt;
    return reply({ user_id: path.user_id, type, new_entry_balance: balance, ...made }, { replayed });
  });
