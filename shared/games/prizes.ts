import type { Account, GameStatus, PrizeKind } from '../vocabulary.ts';
import type { Prize } from './prize-tables.ts';

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

export const accountOfPrize = (kind: PrizeKind): Account | undefined => creditedTo[kind];

/** Returns a prize's value in whole cents, for exact sums. */
export function centsOf({
  kind,
  amount,
  value_usd,
}: Pick<Prize, 'kind' | 'amount' | 'value_usd'>): number | null {
  const usd = kind === 'cash_usd' ? amount : value_usd;
  return usd === undefined ? null : Math.round(usd * 100);
}

export const countsAsWin = (kind: PrizeKind): boolean => accountOfPrize(kind) === undefined;

export function jackpotOf(prizes: readonly Prize[]): Prize | undefined {
  const cash = prizes.filter(({ kind }) => kind === 'cash_usd');
  return cash.reduce<Prize | undefined>(
    (best, one) => (best && best.amount >= one.amount ? best : one),
    undefined,
  );
}

export function withOnlyForced(prizes: readonly Prize[], forced: 'jackpot' | PrizeKind): Prize[] {
  const jackpot = forced === 'jackpot' ? jackpotOf(prizes) : undefined;
  return prizes.map((prize) =>
    prize === jackpot || prize.kind === forced ? prize : { ...prize, weight: 0 },
  );
}
