import { type Committed, commit } from '../accounts/commit.ts';
import { adjustmentFields, postTransaction } from '../accounts/post.ts';
import { organizationKey } from '../table/keys.ts';
import { type Account, adjustmentDescription } from '../vocabulary.ts';
import { type ActionContext, actionWrites, liveContext, newAction, nextActionId } from './action-records.ts';

/** `amount` is negative for a debit; `once` is an optional idempotency key. */
type AdjustmentRequest = {
  organizationId: string;
  userId: string;
  account: Account;
  amount: number;
  once?: string | undefined;
};
export type Adjustment = { transaction_id: string; action_id: string; balance: number };

/** Changes a balance and records the action in one transaction. Throws refusals, as `postTransaction` does. */
export async function adjustBalance(
  request: AdjustmentRequest,
  context: ActionContext,
): Promise<Committed<Adjustment>> {
  const current = liveContext(context)();
  const { organizationId, userId, account, amount, once } = request;
  const parameters = () => ({ account, amount });
  return commit({
    organizationId,
    userId,
    byOperator: true,
    ...(once === undefined
      ? {}
      : { idempotency: { resource: 'adjustments', key: once, now: current.now, parameters } }),
    reads: { organization: organizationKey(organizationId) },
    decide: ({ user, organization = {} }) => {
      const action_id = nextActionId(organizationId, organization, current.now);
      const posting = { account, amount, description: adjustmentDescription, action_id };
      const { user: after, record } = postTransaction(user, posting, current.now);
      const { transaction_id, balance_after: balance } = record;
      const about = adjustmentFields(record, account);
      const action = { action: 'balance_adjusted' as const, about, before: {}, after: {} };
      const adjusted = newAction(organizationId, organization, action, current, user);
      return {
        user: after,
        records: [record],
        writes: actionWrites(organizationId, organization, adjusted),
        reply: { transaction_id, action_id, balance },
      };
    },
  });
}
