import { refusals } from '../refusals.ts';
import { startOfToday } from '../time.ts';
import type { Account } from '../vocabulary.ts';
import { type Committed, commit } from './commit.ts';
import { append } from './records.ts';
import type { User } from './user.ts';

/** A change to one balance. `amount` is in whole tickets or entries, negative for a debit. */
export type Posting = {
  account: Account;
  amount: number;
  description: string;
  idempotency_key?: string | undefined;
  outcome_id?: string | undefined;
  operation_id?: string | undefined;
  /** Effective date of the change, as an ISO instant. Defaults to the start of today in New York. */
  result_effective_date?: string | undefined;
};

/**
 * Changes a user's balance. The caller writes the returned user and record. Throws `insufficientTickets` or
 * `insufficientEntries`, or `invalid` above JavaScript's largest safe integer.
 */
export function post(user: User, { account, amount, ...rest }: Posting, now: number) {
  const balance = user.balances[account] + amount;
  if (balance < 0) {
    throw account === 'tickets' ? refusals.insufficientTickets() : refusals.insufficientEntries(account);
  }
  if (!Number.isSafeInteger(balance)) {
    const room = Number.MAX_SAFE_INTEGER - user.balances[account];
    throw refusals.invalid(`amount: Input should be less than or equal to ${room}`);
  }
  const fields = {
    ...(account === 'tickets'
      ? { kind: 'tickets' as const }
      : { kind: 'entries' as const, entry_type: account }),
    amount,
    balance_after: balance,
    ...rest,
    result_effective_date: rest.result_effective_date ?? startOfToday(now),
  };
  const appended = append(user, fields, now);
  const after: User = {
    ...appended.user,
    balances: { ...user.balances, [account]: balance },
  };
  return { user: after, record: appended.record };
}

/** A host's request to change a balance. */
export type ChangeRequest = {
  organizationId: string;
  userId: string;
  account: Account;
  /**
   * Fields of the request. A repeated request with the same idempotency key must have the same fields and
   * account.
   */
  change: { amount: number; description: string; idempotency_key: string };
  now: number;
};
/** Reply to a change: the id of its transaction, and the balance after the change. */
export type Receipt = { transaction_id: string; balance: number };

/** Adds a positive amount to a user's balance, at most once per idempotency key. */
export const credit = (request: ChangeRequest): Promise<Committed<Receipt>> => change(request, 1);

/** Subtracts a positive amount from a balance, once per idempotency key. Throws if the balance is too low. */
export const debit = (request: ChangeRequest): Promise<Committed<Receipt>> => change(request, -1);

function change(request: ChangeRequest, sign: 1 | -1): Promise<Committed<Receipt>> {
  const { organizationId, userId, account, now } = request;
  const { idempotency_key, ...fields } = request.change;
  const change = { ...fields, amount: sign * fields.amount };
  return commit({
    organizationId,
    userId,
    idempotency: {
      resource: account === 'tickets' ? 'tickets' : 'entries',
      key: idempotency_key,
      now,
      parameters: () => ({ ...change, account }),
    },
    decide: ({ user }) => {
      const posted = post(user, { ...change, account, idempotency_key }, now);
      const reply = {
        transaction_id: posted.record.transaction_id,
        balance: posted.user.balances[account],
      };
      return { user: posted.user, records: [posted.record], reply };
    },
  });
}
