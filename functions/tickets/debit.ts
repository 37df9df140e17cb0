import { debit } from '../../shared/accounts/ledger.ts';
import { ticketChangeEndpoint } from '../../shared/api/balance-change.ts';
import { ticketsRoutes } from '../../shared/api/routes/tickets.ts';

export const handler = ticketChangeEndpoint(ticketsRoutes['tickets/debit'], debit);
