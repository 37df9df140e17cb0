import { debit } from '../../shared/accounts/ledger.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { entriesRoutes } from '../../shared/api/routes/entries.ts';

/**
 * Takes truck or flight entries from a user's balance, at most once for each idempotency key and never below
 * zero.
 */
export const handler = endpoint(
  entriesRoutes['entries/debit'],
  async ({ organizationId, path, body, now }) => {
    const { type, ...change } = body;
    const { reply: receipt, replayed } = await debit({
      organizationId,
      userId: path.user_id,
      account: type,
      change,
      now,
    });
    const { transaction_id, balance } = receipt;
    return reply(
      {
        user_id: path.user_id,
        type,
        new_entry_balance: balance,
        transaction_id,
      },
      { replayed },
    );
  },
);
