/** What follows from a prize being of its kind. */
import type { Account, GameStatus, PrizeKind } from '../vocabulary.ts';
import type { Prize } from './prize-tables.ts';

/** The status that a game has in the report, by the kind of its prize. */
export const gameStatusOf: Record<PrizeKind, GameStatus> = {
  entry_truck: 'Extra-prize',
  entry_flight: 'Extra-prize',
  prize_money_transfer: 'Extra-prize',
  prize_cash_back: 'Extra-prize',
  prize_streaming: 'Extra-prize',
  prize_imt: 'Extra-prize',
  prize_gift_card: 'Extra-prize',
  prize_phone_accessory: 'Extra-prize',
  prize_merchandise: 'Extra-prize',
  tickets: 'Ticket-only',
  cash_usd: 'Cash',
};

const creditedTo: Record<PrizeKind, Account | undefined> = {
  entry_truck: 'truck',
  entry_flight: 'flight',
  prize_money_transfer: undefined,
  prize_cash_back: undefined,
  prize_streaming: undefined,
  prize_imt: undefined,
  prize_gift_card: undefined,
  prize_phone_accessory: undefined,
  prize_merchandise: undefined,
  tickets: 'tickets',
  cash_usd: undefined,
};

/** The balance that a prize is credited to, or undefined for one that is handed over elsewhere. */
export const accountOf = (kind: PrizeKind): Account | undefined => creditedTo[kind];

/** What a prize is worth, in cents, so that sums are exact; null if its table does not say it. */
export function centsOf({
  kind,
  amount,
  value_usd,
}: Pick<Prize, 'kind' | 'amount' | 'value_usd'>): number | null {
  const usd = kind === 'cash_usd' ? amount : value_usd;
  return usd === undefined ? null : Math.round(usd * 100);
}

/** Whether a prize is a win: whatever is neither tickets nor an entry, which are credited to the user as chances. */
export const isWin = (kind: PrizeKind): boolean => accountOf(kind) === undefined;

/** The highest cash prize of a table, or undefined if it has none. */
export function jackpotOf(prizes: readonly Prize[]): Prize | undefined {
  const cash = prizes.filter(({ kind }) => kind === 'cash_usd');
  return cash.reduce<Prize | undefined>(
    (best, one) => (best && best.amount >= one.amount ? best : one),
    undefined,
  );
}

/** The same prizes with all the chances on the highest cash prize: what a debug jackpot draws from. */
export function jackpotOnly(prizes: readonly Prize[]): Prize[] {
  const jackpot = jackpotOf(prizes);
  return prizes.map((prize) => (prize === jackpot ? prize : { ...prize, weight: 0 }));
}
