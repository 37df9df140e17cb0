/** What the host app keeps of its users: in memory here, in a database of its own elsewhere. */
import type { Outcome, WebhookEvent } from '../../../shared/client/client.ts';
import type { Account, EntryType, Person } from './shown.ts';

/** An account, and what it takes to apply events that come twice or late. */
export type Kept = {
  shown: Omit<Account, 'winnings_usd'>;
  userId: string;
  /** The cash of each outcome, by its id: one that is told twice counts once. */
  cash: Map<string, number>;
  /** The `sequence` of the newest balance that was told, by its type. */
  sequences: Map<string, number>;
};

/** An account as it is at a sign-in, by what the API says of it. */
export function keptAccount(
  person: Person,
  userId: string,
  read: { tickets: number; entries: Record<EntryType, number>; outcomes: Outcome[] },
): Kept {
  const { tickets, entries, outcomes } = read;
  return {
    shown: { person, tickets, entries, waiting_spins: 0, free_prizes: [] },
    userId,
    cash: new Map(outcomes.map(({ id, prize }) => [id, prize.cash_usd ?? 0])),
    sequences: new Map(),
  };
}

/** An account as the page shows it. */
export const shownAccount = ({ shown, cash }: Kept): Account => ({
  ...shown,
  winnings_usd: [...cash.values()].reduce((sum, usd) => sum + usd, 0),
});

/** Applies an event to the account that it is of, and returns what was done, for developers to read. */
export function applyEvent(kept: Kept, event: WebhookEvent): string {
  const { shown } = kept;
  if (event.type === 'balance_updated') return applyBalance(kept, event.sequence, event.data);
  if (event.type === 'cash_won') {
    kept.cash.set(event.data.outcome_id, event.data.cash_usd);
    return `$${event.data.cash_usd} added to the user's winnings`;
  }
  if (event.type === 'prize_won') return 'the user is told of the prize';
  if (event.type === 'webhook_disabled') return 'nothing: it is for operators';
  if (event.data.play_type === 'regular') return 'noted';
  shown.waiting_spins = Math.max(0, shown.waiting_spins - 1);
  shown.free_prizes = [event.data.prize, ...shown.free_prizes].slice(0, 20);
  return 'the result of a free spin is shown';
}

type Balance = (WebhookEvent & { type: 'balance_updated' })['data'];

function applyBalance({ shown, sequences }: Kept, sequence: number, data: Balance): string {
  const { balance_type, new_balance } = data;
  // Events can overtake each other.
  if (sequence < (sequences.get(balance_type) ?? 0)) return 'left alone: a newer balance is known';
  sequences.set(balance_type, sequence);
  if (balance_type === 'tickets') shown.tickets = new_balance;
  else shown.entries = { ...shown.entries, [balance_type]: new_balance };
  return `${balance_type}${balance_type === 'tickets' ? '' : ' entries'} shown: ${new_balance}`;
}
