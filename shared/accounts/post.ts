import { refusals } from '../refusals.ts';
import type { Account } from '../vocabulary.ts';
import { appendRecord, nextEffectiveDate } from './records.ts';
import type { User } from './user.ts';

/** `amount` is in whole tickets or entries, negative for a debit. */
export type Posting = {
  account: Account;
  amount: number;
  description: string;
  idempotency_key?: string | undefined;
  outcome_id?: string | undefined;
  action_id?: string | undefined;
  drawing_id?: string | undefined;
  /** Defaults to the start of today in New York. */
  result_effective_date?: string | undefined;
};

/** Throws a refusal for a balance below 0 or above JavaScript's largest safe integer. */
export function postTransaction(user: User, { account, amount, ...rest }: Posting, now: number) {
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
    result_effective_date: rest.result_effective_date ?? nextEffectiveDate(user, now),
  };
  return appendRecord({ ...user, balances: { ...user.balances, [account]: balance } }, fields, now);
}

/** Returns the fields about a transaction for the action record of an operator's adjustment. */
export const adjustmentFields = (
  { user_id, transaction_id, amount, balance_after }: Adjusted,
  account: Account,
) => ({
  user_id,
  transaction_id,
  account,
  amount,
  balance: { before: balance_after - amount, after: balance_after },
});
type Adjusted = { user_id: string; transaction_id: string; amount: number; balance_after: number };
