import { credit } from '../../shared/accounts/ledger.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { entriesRoutes } from '../../shared/api/routes/entries.ts';

export const handler = endpoint(
  entriesRoutes['entries/credit'],
  async ({ organizationId, path, body, suspended, now }) => {
    const { type, ...change } = body;
    const { reply: receipt, replayed } = await credit({
      organizationId,
      userId: path.user_id,
      account: type,
      change,
      suspended,
      now,
    });
    const { balance, ...made } = receipt;
    return reply({ user_id: path.user_id, type, new_entry_balance: balance, ...made }, { replayed });
  },
);
