import { credit } from '../../shared/accounts/ledger.ts';
import { ticketChange } from '../../shared/api/balance-change.ts';
import { ticketsRoutes } from '../../shared/api/routes/tickets.ts';

export const handler = ticketChange(ticketsRoutes['tickets/credit'], credit);
