import type { EntryRecord, RecordOf } from '../../../../shared/accounts/records.ts';
import type { ActionRecord } from '../../../../shared/actions/action-records.ts';
import { type Account, accounts } from '../../../../shared/vocabulary.ts';
import type { Row } from './csv.ts';

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

/** `last` has each user's last balance. */
type Holding = {
  last: Map<string, { sequence: number; balance: number }>;
  credited: number;
  debited: number;
};
const holders = ['users', 'erased_users'] as const;
type Holder = (typeof holders)[number];
/** Memory use grows with the number of users, not of records. */
type Holdings = { erased: ReadonlySet<string> } & Record<Holder, Record<Account, Holding>>;

export const liabilityColumns = ['account', 'held_by', 'balance', 'users', 'credited', 'debited'];

export function emptyHoldings(erased: ReadonlySet<string> = new Set()): Holdings {
  const none = () =>
    Object.fromEntries(
      accounts.map((account) => [account, { last: new Map(), credited: 0, debited: 0 }]),
    ) as unknown as Record<Account, Holding>;
  return { erased, users: none(), erased_users: none() };
}

/** Returns the ids of users who were erased before a time (epoch milliseconds). */
export const erasedBefore = (time: number, operations: readonly ActionRecord[]): Set<string> =>
  new Set(
    operations
      .filter(({ action, date_created }) => action === 'user_erased' && Date.parse(date_created) < time)
      .flatMap(({ about }) => about?.user_id ?? []),
  );

/** Transactions may come in any order: the one with a user's highest `sequence` has the balance. */
export function addPosting(holdings: Holdings, record: Posted): void {
  const { user_id, sequence, amount, balance_after: balance } = record;
  const holder = holdings.erased.has(user_id) ? 'erased_users' : 'users';
  const holding = holdings[holder][record.entry_type ?? 'tickets'];
  const last = holding.last.get(user_id);
  if (!last || last.sequence < sequence) holding.last.set(user_id, { sequence, balance });
  if (amount > 0) holding.credited += amount;
  else holding.debited -= amount;
}

/** `users` counts the users with a positive balance. */
export const liabilityRows = (holdings: Holdings): Row[] =>
  holders.flatMap((held_by) =>
    accounts.map((account) => {
      const { last, credited, debited } = holdings[held_by][account];
      const balances = [...last.values()].map(({ balance }) => balance).filter((balance) => balance > 0);
      const balance = balances.reduce((sum, one) => sum + one, 0);
      return { account, held_by, balance, users: balances.length, credited, debited };
    }),
  );

export const balancesAgree = (rows: readonly Row[]): boolean =>
  rows.every(({ balance, credited, debited }) => balance === Number(credited) - Number(debited));
