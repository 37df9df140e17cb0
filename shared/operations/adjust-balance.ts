/** How an operator adjusts a user's balance: a transaction, and the record of who made it and why, all or nothing. */
import { type Committed, commit } from '../accounts/commit.ts';
import { post } from '../accounts/ledger.ts';
import { organizationKey } from '../table/keys.ts';
import type { Account } from '../vocabulary.ts';
import { type By, nextOperationId, operationOf, operationParts } from './operation-records.ts';

/** What is to be adjusted; `amount` is whole, and negative to take. With `once`, it is made once for each such text. */
export type AdjustmentRequest = {
  organizationId: string;
  userId: string;
  account: Account;
  amount: number;
  once?: string | undefined;
};
/** What an adjustment comes to: its transaction, the operation that names it, and the balance after it. */
export type Adjustment = { transaction_id: string; operation_id: string; balance: number };

/**
 * Adds to a balance of a user or takes from it. Throws `Invalid user ID`, `insufficient … balance` below zero,
 * `idempotency_key_reused` if `once` was used for something else, or what `commit` does when it stops trying.
 */
export async function adjustBalance(request: AdjustmentRequest, by: By): Promise<Committed<Adjustment>> {
  const { organizationId, userId, account, amount, once } = request;
  const parameters = () => ({ account, amount });
  return commit({
    organizationId,
    userId,
    byOperator: true,
    ...(once === undefined
      ? {}
      : { idempotency: { resource: 'adjustments', key: once, now: by.now, parameters } }),
    reads: { organization: organizationKey(organizationId) },
    decide: ({ user, organization = {} }) => {
      const operation_id = nextOperationId(organizationId, organization, by.now);
      const posting = { account, amount, description: 'Adjustment', operation_id };
      const { user: after, record } = post(user, posting, by.now);
      const { transaction_id } = record;
      const balance = { before: user.balances[account], after: after.balances[account] };
      const about = { user_id: userId, transaction_id, account, amount, balance };
      const said = { action: 'balance_adjusted' as const, about, before: {}, after: {} };
      const operation = operationOf(organizationId, organization, said, by, user);
      return {
        user: after,
        records: [record],
        writes: operationParts(organizationId, organization, operation),
        reply: { transaction_id, operation_id, balance: balance.after },
      };
    },
  });
}
