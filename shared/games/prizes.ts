/** Properties of each kind of prize: game status, credited account, value, and whether it counts as a win. */
import type { Account, GameStatus, PrizeKind } from '../vocabulary.ts';
import type { Prize } from './prize-tables.ts';

/** The game status that reports show for each kind of prize. */
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

/** Returns the account to credit for a kind of prize; undefined for cash and prizes that hosts hand out. */
export const accountOf = (kind: PrizeKind): Account | undefined => creditedTo[kind];

/** Returns a prize's value in whole cents, for exact sums. Returns null if the table gives no value. */
export function centsOf({
  kind,
  amount,
  value_usd,
}: Pick<Prize, 'kind' | 'amount' | 'value_usd'>): number | null {
  const usd = kind === 'cash_usd' ? amount : value_usd;
  return usd === undefined ? null : Math.round(usd * 100);
}

/** Returns whether a kind of prize counts as a win: all kinds except tickets and entries. */
export const isWin = (kind: PrizeKind): boolean => accountOf(kind) === undefined;

/** Returns the highest cash prize, or undefined if there are no cash prizes. */
export function jackpotOf(prizes: readonly Prize[]): Prize | undefined {
  const cash = prizes.filter(({ kind }) => kind === 'cash_usd');
  return cash.reduce<Prize | undefined>(
    (best, one) => (best && best.amount >= one.amount ? best : one),
    undefined,
  );
}

/** Returns the prizes with weight 0, except the forced ones: the jackpot, or all prizes of the forced kind. */
export function onlyForced(prizes: readonly Prize[], forced: 'jackpot' | PrizeKind): Prize[] {
  const jackpot = forced === 'jackpot' ? jackpotOf(prizes) : undefined;
  return prizes.map((prize) =>
    prize === jackpot || prize.kind === forced ? prize : { ...prize, weight: 0 },
  );
}
