/** Rules of the cash, stock and win budgets. Imports nothing from Node, because the play page imports this file. */
import type { DrawBudgets } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import type { Prize } from './prize-tables.ts';
import { countsAsWin } from './prizes.ts';
import type { PeriodTerms } from './promotion.ts';

const cashIn = ({ kind, amount }: Prize) => (kind === 'cash_usd' ? amount : 0);
/** Amounts by which a prize reduces each budget: its cash in whole USD, one item of stock, one win. */
const amountOf = {
  cash: cashIn,
  promotion: cashIn,
  stock: (prize: Prize) => (isStocked(prize) ? 1 : 0),
  wins: ({ kind }: Prize) => (countsAsWin(kind) ? 1 : 0),
};
type BudgetName = keyof typeof amountOf;
const names = Object.keys(amountOf) as BudgetName[];

/** Budgets that limit a draw. An absent budget sets no limit. */
export type DrawLimits = Partial<DrawBudgets>;

function isWithin(name: BudgetName, prize: Prize, limits: DrawLimits): boolean {
  const { granted = 0, limit = Infinity, out = [] }: Limit = limits[name] ?? {};
  const amount = amountOf[name](prize);
  return amount === 0 || (granted + amount <= limit && !out.includes(prize.id));
}
type Limit = { granted?: number; limit?: number | undefined; out?: string[] | undefined };

export const isWithinLimits = (prize: Prize, limits: DrawLimits): boolean =>
  names.every((name) => isWithin(name, prize, limits));

/** Returns whether only tickets can be won: outside a promotion's period, or if the limits leave no cash prize. */
export function isTicketsOnly(prizes: readonly Prize[], limits: DrawLimits): boolean {
  const cash = prizes.filter((prize) => cashIn(prize) > 0);
  const isCovered = (prize: Prize) => isWithin('cash', prize, limits) && isWithin('promotion', prize, limits);
  return limits.outside === true || (cash.length > 0 && !cash.some(isCovered));
}

/** Amounts granted from a budget: whole USD under `usdKey` or a promotion's first day, or items by prize id. */
export type AmountByKey = Readonly<Record<string, number>>;
/** State of a budget that users share: number of grants, amounts in total, and amounts on `day`. */
export type BudgetState = { grants: number; day: string; granted: AmountByKey; grantedOnDay: AmountByKey };

/** State of a shared budget before its first grant. */
export const noGrants: BudgetState = { grants: 0, day: '', granted: {}, grantedOnDay: {} };

export const usdKey = 'usd';
/** Budget of a day's cash in whole USD: `limitOfDay` is for the whole day, `limit` the part available so far. */
type CashBudget = BudgetState & { limit: number; limitOfDay: number };
/** Cash of promotions, counted by their first days. */
type PromotionBudget = BudgetState & NonNullable<PeriodTerms['promotion']>;
/** The shared budgets that limit a draw. `stock` is absent if no prize has a limited stock. */
export type Budgets = {
  day: string;
  cash: CashBudget;
  promotion?: PromotionBudget;
  /** True if the draw counts for a day outside the promotion's period. */
  outside?: true;
  stock?: BudgetState;
};

/** Returns the later of both days, because a request from before midnight can run after later requests. */
export const countingDay = (known: string, day: string): string => (known > day ? known : day);

export const onDay = <S extends BudgetState>(state: S, day: string): S =>
  day > state.day ? { ...state, day, grantedOnDay: {} } : state;

export const withGrant = <S extends BudgetState>(state: S, key: string, amount: number): S => ({
  ...state,
  grants: state.grants + 1,
  granted: plus(state.granted, key, amount),
  grantedOnDay: plus(state.grantedOnDay, key, amount),
});

const plus = (counts: AmountByKey, key: string, amount: number): AmountByKey => ({
  ...counts,
  [key]: amountIn(counts, key) + amount,
});

export const amountIn = (counts: AmountByKey, key: string): number =>
  Object.hasOwn(counts, key) ? counts[key]! : 0;

export const withPrize = ({ cash, promotion, stock, ...rest }: Budgets, prize: Prize): Budgets => ({
  ...rest,
  cash: cashIn(prize) ? withGrant(cash, usdKey, cashIn(prize)) : cash,
  ...(promotion && {
    promotion: cashIn(prize) ? withGrant(promotion, promotion.first_day, cashIn(prize)) : promotion,
  }),
  ...(stock ? { stock: amountOf.stock(prize) ? withGrant(stock, prize.id, 1) : stock } : {}),
});

export const isStocked = ({ stock, stock_per_day }: Prize): boolean =>
  stock !== undefined || stock_per_day !== undefined;

export const hasStock = (prizes: readonly Prize[]): boolean => prizes.some(isStocked);

/** Whether the total stock is used up. Ignores the stock per day. */
export const isStockUsedUp = ({ id, stock = Infinity }: Prize, { granted }: BudgetState): boolean =>
  amountIn(granted, id) >= stock;

const isStockUsedUpForDay = ({ id, stock_per_day = Infinity }: Prize, { grantedOnDay }: BudgetState) =>
  amountIn(grantedOnDay, id) >= stock_per_day;

export const outOfStock = (prizes: readonly Prize[], stock: BudgetState): string[] =>
  prizes
    .filter((prize) => isStockUsedUp(prize, stock) || isStockUsedUpForDay(prize, stock))
    .map(({ id }) => id);

/** Number of prizes that a user has won on a day, and the maximum per day. */
export type WinsOnDay = { day: string; granted: number; limit: number };

export function winsOnDay({ wins }: Pick<User, 'wins'>, day: string, limit: number): WinsOnDay | undefined {
  if (limit === 0) return undefined;
  const countedDay = countingDay(wins?.day ?? '', day);
  return { day: countedDay, granted: wins?.day === countedDay ? wins.count : 0, limit };
}

/** Counts the win only if wins are limited. */
export const withWin = (user: User, wins: WinsOnDay | undefined, prize: Prize): User =>
  wins && amountOf.wins(prize) ? { ...user, wins: { day: wins.day, count: wins.granted + 1 } } : user;

export function budgetsForDraw(
  { cash, promotion, outside, stock }: Budgets,
  prizes: readonly Prize[],
  wins?: WinsOnDay,
): DrawBudgets {
  const usedUp = stock ? outOfStock(prizes, stock) : [];
  return {
    cash: { grants: cash.grants, granted: amountIn(cash.granted, usdKey), limit: cash.limit },
    ...(promotion ? { promotion: drawPromotion(promotion) } : {}),
    ...(outside ? { outside } : {}),
    ...(stock ? { stock: { grants: stock.grants, ...(usedUp.length > 0 ? { out: usedUp } : {}) } } : {}),
    ...(wins ? { wins: { granted: wins.granted, limit: wins.limit } } : {}),
  };
}

const drawPromotion = ({ first_day, grants, granted, limit }: PromotionBudget) => ({
  first_day,
  grants,
  granted: amountIn(granted, first_day),
  ...(limit === undefined ? {} : { limit }),
});

/** Adds the won item's serial numbers (in total and of the day) to `limits` if the prize has a limited stock. */
export function withSerialNumbers(limits: DrawBudgets, prize: Prize, { stock }: Budgets): DrawBudgets {
  if (!limits.stock || !stock || !isStocked(prize)) return limits;
  const number = amountIn(stock.granted, prize.id);
  const number_of_day = amountIn(stock.grantedOnDay, prize.id);
  return { ...limits, stock: { ...limits.stock, number, number_of_day } };
}
