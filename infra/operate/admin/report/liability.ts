/** What all users hold at the end of a day. Pure. */
import type { EntryRecord, RecordOf } from '../../../../shared/accounts/records.ts';
import { type Account, accounts } from '../../../../shared/vocabulary.ts';
import type { Row } from './csv.ts';

/** What a record of a balance says that holdings follow from. */
export const holdingFields = [
  'kind',
  'user_id',
  'sequence',
  'amount',
  'balance_after',
  'entry_type',
] as const;
type Posted = Pick<
  RecordOf<'tickets' | 'entries'>,
  'kind' | 'user_id' | 'sequence' | 'amount' | 'balance_after'
> &
  Partial<Pick<EntryRecord, 'entry_type'>>;

/** The last balance of each user, and all that was ever credited and debited. */
type Holding = {
  last: Map<string, { sequence: number; balance: number }>;
  credited: number;
  debited: number;
};
/** By account. Memory is bounded by the users. */
export type Holdings = Record<Account, Holding>;

/** The columns of the rows of accounts. */
export const liabilityColumns = ['account', 'balance', 'users', 'credited', 'debited'];

/** What is held before any record. */
export const noHoldings = (): Holdings =>
  Object.fromEntries(
    accounts.map((account) => [account, { last: new Map(), credited: 0, debited: 0 }]),
  ) as unknown as Holdings;

/** Adds a record, in whatever order records come: of a user's, the one with the greatest number says the balance. */
export function addPosting(holdings: Holdings, record: Posted): void {
  const { user_id, sequence, amount, balance_after: balance } = record;
  const holding = holdings[record.entry_type ?? 'tickets'];
  const last = holding.last.get(user_id);
  if (!last || last.sequence < sequence) holding.last.set(user_id, { sequence, balance });
  if (amount > 0) holding.credited += amount;
  else holding.debited -= amount;
}

/** A row for each account: the sum of its balances, and how many users have some. */
export function liabilityRows(holdings: Holdings): Row[] {
  return accounts.map((account) => {
    const { last, credited, debited } = holdings[account];
    const balances = [...last.values()].map(({ balance }) => balance).filter((balance) => balance > 0);
    const balance = balances.reduce((sum, one) => sum + one, 0);
    return { account, balance, users: balances.length, credited, debited };
  });
}

/** Whether the balances of each account come to what was credited to it, less what was debited. */
export const agree = (rows: readonly Row[]): boolean =>
  rows.every(({ balance, credited, debited }) => balance === Number(credited) - Number(debited));
