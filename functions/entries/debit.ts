import { debit } from '../../shared/accounts/ledger.ts';
import { entryChange } from '../../shared/api/balance-change.ts';
import { entriesRoutes } from '../../shared/api/routes/entries.ts';

export const handler = entryChange(entriesRoutes['entries/debit'], debit);
