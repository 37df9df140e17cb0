import type { Outcome, WebhookEvent } from '../../../shared/client/client.ts';
import type { EntryType, PersonId, UserAccount } from './model.ts';

export type StoredAccount = {
  account: Omit<UserAccount, 'winnings_usd'>;
  userId: string;
  /** USD by outcome id, so that a repeated event counts only once. */
  cash: Map<string, number>;
  /** The latest `sequence` of each balance, from an event or a response. Lower sequences are ignored. */
  sequences: Record<BalanceType, number>;
};
type BalanceType = 'tickets' | EntryType;

export function newStoredAccount(
  person: PersonId,
  userId: string,
  read: { balances: Record<BalanceType, number>; sequence: number; outcomes: Outcome[] },
): StoredAccount {
  const { balances, sequence, outcomes } = read;
  const { tickets, ...entries } = balances;
  return {
    account: { person, tickets, entries, waiting_spins: 0, free_prizes: [] },
    userId,
    cash: new Map(outcomes.map(({ id, prize }) => [id, prize.cash_usd ?? 0])),
    sequences: { tickets: sequence, truck: sequence, flight: sequence },
  };
}

export const accountForPage = ({ account, cash }: StoredAccount): UserAccount => ({
  ...account,
  winnings_usd: [...cash.values()].reduce((sum, usd) => sum + usd, 0),
});

export function applyEvent(stored: StoredAccount, event: WebhookEvent): string {
  const { account } = stored;
  if (event.type === 'balance_updated') {
    const { balance_type, new_balance } = event.data;
    return applyBalance(stored, event.sequence, balance_type, new_balance);
  }
  if (event.type === 'cash_won') {
    stored.cash.set(event.data.outcome_id, event.data.cash_usd);
    return `$${event.data.cash_usd} added to the user's winnings`;
  }
  if (event.type === 'prize_updated') return `the prize is ${event.data.state}`;
  if (event.type === 'prize_won') return 'shown to the user';
  if (event.type !== 'outcome' || event.data.play_type === 'regular') return 'no change';
  account.waiting_spins = Math.max(0, account.waiting_spins - 1);
  account.free_prizes = [event.data.prize, ...account.free_prizes].slice(0, 20);
  return 'free spin result shown';
}

/**
 * Shows a balance as of `sequence`, unless a newer balance is known: events and responses can arrive in another order.
 */
export function applyBalance(
  { account, sequences }: StoredAccount,
  sequence: number,
  type: BalanceType,
  balance: number,
): string {
  if (sequence < sequences[type]) return 'ignored: a newer balance is known';
  sequences[type] = sequence;
  if (type === 'tickets') account.tickets = balance;
  else account.entries = { ...account.entries, [type]: balance };
  return `${type}${type === 'tickets' ? '' : ' entries'} shown: ${balance}`;
}
