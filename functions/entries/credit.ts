import { credit } from '../../shared/accounts/ledger.ts';
import { entryChangeEndpoint } from '../../shared/api/balance-change.ts';
import { entriesRoutes } from '../../shared/api/routes/entries.ts';

export const handler = entryChangeEndpoint(entriesRoutes['entries/credit'], credit);
