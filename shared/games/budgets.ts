/**
 * Rules of the three budgets: the day's cash, a prize's stock and a user's wins per day. Pure and without
 * imports from Node, because the play page imports this file.
 */
import type { DrawBudgets } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import type { Prize } from './prize-tables.ts';
import { isWin } from './prizes.ts';

/**
 * How much one prize takes from each budget: whole USD, one item of stock, one win. A new budget also needs a
 * field of `DrawBudgets` and, if users share it, a key in `stored-budgets.ts`.
 */
const takes = {
  cash: ({ kind, amount }: Prize) => (kind === 'cash_usd' ? amount : 0),
  stock: (prize: Prize) => (isStocked(prize) ? 1 : 0),
  wins: ({ kind }: Prize) => (isWin(kind) ? 1 : 0),
};
type BudgetName = keyof typeof takes;
const names = Object.keys(takes) as BudgetName[];

/** Budgets that limit a draw. An absent budget sets no limit. */
export type Limits = Partial<DrawBudgets>;

/** Returns whether one budget can still cover a prize. */
function isWithin(name: BudgetName, prize: Prize, limits: Limits): boolean {
  const { granted = 0, limit = Infinity, out = [] }: Limit = limits[name] ?? {};
  const taken = takes[name](prize);
  return taken === 0 || (granted + taken <= limit && !out.includes(prize.id));
}
type Limit = { granted?: number; limit?: number; out?: string[] | undefined };

/** Returns whether every budget can still cover a prize. */
export const isAffordable = (prize: Prize, limits: Limits): boolean =>
  names.every((name) => isWithin(name, prize, limits));

/** Returns whether a table has cash prizes and the remaining cash covers none of them. */
export function coversNoCash(prizes: readonly Prize[], limits: Limits): boolean {
  const cash = prizes.filter((prize) => takes.cash(prize) > 0);
  return cash.length > 0 && !cash.some((prize) => isWithin('cash', prize, limits));
}

/** Sums by key: `usd` in a cash budget, the prize's id in a stock budget. */
export type Counts = Readonly<Record<string, number>>;
/** State of a budget that users share: the number of grants, and the granted sums in total and on `day`. */
export type BudgetState = { grants: number; day: string; granted: Counts; grantedOnDay: Counts };

/** Initial state of a shared budget. */
export const noGrants: BudgetState = { grants: 0, day: '', granted: {}, grantedOnDay: {} };

/** Key of the sums in a cash budget. */
export const usd = 'usd';
/**
 * State of a user's cash chain with its limits in whole USD: `limit` is available now, `limitOfDay` by the
 * end of the day.
 */
export type CashBudget = BudgetState & { limit: number; limitOfDay: number };
/** The shared budgets of a draw. `stock` is absent if the game's table has no limited prizes. */
export type Budgets = { day: string; cash: CashBudget; stock?: BudgetState };

/**
 * Returns the day on which a request counts: the later of its own day and the day known so far. So a late request
 * from before midnight counts on the new day once another request has.
 */
export const countingDay = (known: string, day: string): string => (known > day ? known : day);

/** Returns the state for a day. If a new day has begun, the sums of the old day are cleared. */
export const onDay = <S extends BudgetState>(state: S, day: string): S =>
  day > state.day ? { ...state, day, grantedOnDay: {} } : state;

/** Returns the state after one more grant. */
export const withGrant = <S extends BudgetState>(state: S, counted: string, amount: number): S => ({
  ...state,
  grants: state.grants + 1,
  granted: plus(state.granted, counted, amount),
  grantedOnDay: plus(state.grantedOnDay, counted, amount),
});

const plus = (counts: Counts, counted: string, amount: number): Counts => ({
  ...counts,
  [counted]: countOf(counts, counted) + amount,
});

/** Returns the sum for a key, 0 if nothing was granted. */
export const countOf = (counts: Counts, counted: string): number =>
  Object.hasOwn(counts, counted) ? counts[counted]! : 0;

/** Returns the budgets after a prize was won. */
export const withPrize = ({ day, cash, stock }: Budgets, prize: Prize): Budgets => ({
  day,
  cash: takes.cash(prize) ? withGrant(cash, usd, takes.cash(prize)) : cash,
  ...(stock ? { stock: takes.stock(prize) ? withGrant(stock, prize.id, 1) : stock } : {}),
});

/** Returns whether a prize has a limited stock, in total or per day. */
export const isStocked = ({ stock, stock_per_day }: Prize): boolean =>
  stock !== undefined || stock_per_day !== undefined;

/** Returns whether a table has a prize with a limited stock. */
export const hasStock = (prizes: readonly Prize[]): boolean => prizes.some(isStocked);

/** Returns whether a prize's total stock has been won. Ignores the limit per day. */
export const isStockUsedUp = ({ id, stock = Infinity }: Prize, { granted }: BudgetState): boolean =>
  countOf(granted, id) >= stock;

const isStockUsedUpForDay = ({ id, stock_per_day = Infinity }: Prize, { grantedOnDay }: BudgetState) =>
  countOf(grantedOnDay, id) >= stock_per_day;

/** Returns the ids of the prizes whose stock is used up, in total or for the day. */
export const outOfStock = (prizes: readonly Prize[], stock: BudgetState): string[] =>
  prizes
    .filter((prize) => isStockUsedUp(prize, stock) || isStockUsedUpForDay(prize, stock))
    .map(({ id }) => id);

/** A user's number of wins on a day, and the limit. */
export type Wins = { day: string; granted: number; limit: number };

/** Returns a user's wins on a day, or undefined if wins are not limited (`limit` is 0). */
export function winsOf({ wins }: Pick<User, 'wins'>, day: string, limit: number): Wins | undefined {
  if (limit === 0) return undefined;
  const on = countingDay(wins?.day ?? '', day);
  return { day: on, granted: wins?.day === on ? wins.count : 0, limit };
}

/** Returns the user after a prize was won. Counts the win only if wins are limited. */
export const withWin = (user: User, wins: Wins | undefined, prize: Prize): User =>
  wins && takes.wins(prize) ? { ...user, wins: { day: wins.day, count: wins.granted + 1 } } : user;

/** Returns the budgets before a draw, in the form that the outcome's record stores. */
export function drawBudgets({ cash, stock }: Budgets, prizes: readonly Prize[], wins?: Wins): DrawBudgets {
  const out = stock ? outOfStock(prizes, stock) : [];
  return {
    cash: { grants: cash.grants, granted: countOf(cash.granted, usd), limit: cash.limit },
    ...(stock ? { stock: { grants: stock.grants, ...(out.length > 0 ? { out } : {}) } } : {}),
    ...(wins ? { wins: { granted: wins.granted, limit: wins.limit } } : {}),
  };
}

/**
 * Adds the serial number of the stocked prize that was won. Returns `limits` unchanged for any other prize.
 */
export function withNumber(limits: DrawBudgets, prize: Prize, { stock }: Budgets): DrawBudgets {
  if (!limits.stock || !stock || !isStocked(prize)) return limits;
  const number = countOf(stock.granted, prize.id);
  const number_of_day = countOf(stock.grantedOnDay, prize.id);
  return { ...limits, stock: { ...limits.stock, number, number_of_day } };
}
