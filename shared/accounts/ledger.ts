import type { Account } from '../vocabulary.ts';
import { type Committed, commit } from './commit.ts';
import { postTransaction } from './post.ts';

type ChangeRequest = {
  organizationId: string;
  userId: string;
  account: Account;
  /** A request that repeats the idempotency key must repeat these fields and the account. */
  change: { amount: number; description: string; idempotency_key: string };
  suspended?: boolean;
  now: number;
};
/** Reply to a change: its transaction's id, the balance after the change, and the `sequence` of its event. */
type Receipt = { transaction_id: string; balance: number; sequence: number };

/** Adds a positive amount to a user's balance, once per idempotency key. */
export const credit = (request: ChangeRequest): Promise<Committed<Receipt>> => change(request, 1);

/** Subtracts a positive amount, once per idempotency key. Throws a Refusal if the balance is too low. */
export const debit = (request: ChangeRequest): Promise<Committed<Receipt>> => change(request, -1);

function change(request: ChangeRequest, sign: 1 | -1): Promise<Committed<Receipt>> {
  const { organizationId, userId, account, suspended, now } = request;
  const { idempotency_key, ...fields } = request.change;
  const change = { ...fields, amount: sign * fields.amount };
  return commit({
    organizationId,
    userId,
    suspended,
    idempotency: {
      resource: account === 'tickets' ? 'tickets' : 'entries',
      key: idempotency_key,
      now,
      parameters: () => ({ ...change, account }),
    },
    decide: ({ user }) => {
      const posted = postTransaction(user, { ...change, account, idempotency_key }, now);
      const reply = {
        transaction_id: posted.record.transaction_id,
        balance: posted.user.balances[account],
        sequence: posted.record.event_sequence,
      };
      return { user: posted.user, records: [posted.record], reply };
    },
  });
}
