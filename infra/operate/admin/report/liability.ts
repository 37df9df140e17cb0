import type { EntryRecord, RecordOfKind } from '../../../../shared/accounts/records.ts';
import type { ActionRecord } from '../../../../shared/actions/action-records.ts';
import { isOwed } from '../../../../shared/prizes/claim-steps.ts';
import { type Account, accounts } from '../../../../shared/vocabulary.ts';
import type { FoundPrize } from '../prizes.ts';
import type { CsvRow } from './csv.ts';

export const liabilityFields = [
  'kind',
  'user_id',
  'sequence',
  'amount',
  'balance_after',
  'entry_type',
] as const;
type Posted = Pick<
  RecordOfKind<'tickets' | 'entries'>,
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

export const liabilityColumns = [
  'account',
  'held_by',
  'balance',
  'users',
  'credited',
  'debited',
  'value_usd',
  'prizes_without_value',
  'oldest_won_at',
  'past_deadline',
];

export function emptyHoldings(erased: ReadonlySet<string> = new Set()): Holdings {
  const none = () =>
    Object.fromEntries(
      accounts.map((account) => [account, { last: new Map(), credited: 0, debited: 0 }]),
    ) as unknown as Record<Account, Holding>;
  return { erased, users: none(), erased_users: none() };
}

/** Returns the ids of users who were erased before a time (epoch milliseconds). */
export const usersErasedBefore = (time: number, actions: readonly ActionRecord[]): Set<string> =>
  new Set(
    actions
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
export const liabilityRows = (holdings: Holdings): CsvRow[] =>
  holders.flatMap((held_by) =>
    accounts.map((account) => {
      const { last, credited, debited } = holdings[held_by][account];
      const balances = [...last.values()].map(({ balance }) => balance).filter((balance) => balance > 0);
      const balance = balances.reduce((sum, one) => sum + one, 0);
      return { account, held_by, balance, users: balances.length, credited, debited };
    }),
  );

/** Returns rows on tracked prizes that are not in hand: how many, worth how much, and since when. */
export const owedPrizeRows = (
  prizes: readonly FoundPrize[],
  erased: ReadonlySet<string>,
  until: number,
): CsvRow[] =>
  holders.map((held_by) => {
    const ofHolder = prizes.filter(
      ({ won, claim }) =>
        claim.state !== 'untracked' && erased.has(won.user_id) === (held_by === 'erased_users'),
    );
    const owed = ofHolder.filter(({ claim }) => isOwed(claim)).map(({ won }) => won);
    const cents = owed.reduce((sum, { value_usd }) => sum + Math.round((value_usd ?? 0) * 100), 0);
    return {
      account: 'prizes',
      held_by,
      balance: owed.length,
      users: new Set(owed.map(({ user_id }) => user_id)).size,
      credited: ofHolder.length,
      debited: ofHolder.length - owed.length,
      value_usd: cents / 100,
      prizes_without_value: owed.filter(({ value_usd }) => value_usd === null).length,
      oldest_won_at: owed[0]?.won_at ?? null,
      past_deadline: owed.filter(({ claim_by }) => claim_by !== null && Date.parse(claim_by) < until).length,
    };
  });

export const balancesAgree = (rows: readonly CsvRow[]): boolean =>
  rows.every(({ balance, credited, debited }) => balance === Number(credited) - Number(debited));
