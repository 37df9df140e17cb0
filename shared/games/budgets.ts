/**
 * Budgets: how much can be won of the day's cash, of each prize that has a stock, and by a user on a day. Pure, and
 * without Node: a page's script imports it.
 */
import type { DrawBudgets } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import type { Prize } from './prize-tables.ts';
import { isWin } from './prizes.ts';

/** How much a prize takes of each budget, 0 if nothing: whole USD, one piece of its stock, one win. */
const takes = {
  cash: ({ kind, amount }: Prize) => (kind === 'cash_usd' ? amount : 0),
  stock: (prize: Prize) => (isStocked(prize) ? 1 : 0),
  wins: ({ kind }: Prize) => (isWin(kind) ? 1 : 0),
};
type BudgetName = keyof typeof takes;
const names = Object.keys(takes) as BudgetName[];

/** Budgets that limit a draw; one that is absent does not. */
export type Limits = Partial<DrawBudgets>;

/** Whether a prize is within a budget. */
function isWithin(name: BudgetName, prize: Prize, limits: Limits): boolean {
  const { granted = 0, limit = Infinity, out = [] }: Limit = limits[name] ?? {};
  const taken = takes[name](prize);
  return taken === 0 || (granted + taken <= limit && !out.includes(prize.id));
}
type Limit = { granted?: number; limit?: number; out?: string[] | undefined };

/** Whether a prize is within all budgets. */
export const isAffordable = (prize: Prize, limits: Limits): boolean =>
  names.every((name) => isWithin(name, prize, limits));

/** Whether a table has cash prizes, and the day's cash covers none of them. */
export function coversNoCash(prizes: readonly Prize[], limits: Limits): boolean {
  const cash = prizes.filter((prize) => takes.cash(prize) > 0);
  return cash.length > 0 && !cash.some((prize) => isWithin('cash', prize, limits));
}

/** Sums by what is counted: `usd`, or the id of a prize that has a stock. */
export type Counts = Readonly<Record<string, number>>;
/** The state of a budget that users share: the number of its grants and their sums, in all and on a day in New York. */
export type BudgetState = { grants: number; day: string; granted: Counts; grantedOnDay: Counts };

/** The state of a budget of which nothing was granted. */
export const noGrants: BudgetState = { grants: 0, day: '', granted: {}, grantedOnDay: {} };

/** What is counted of cash. */
export const usd = 'usd';
/**
 * The user's share of the day's cash in whole USD: `limit` is available at the time, `limitOfDay` by the end
 * of the day.
 */
export type CashBudget = BudgetState & { limit: number; limitOfDay: number };
/** The budgets that a draw at a time is granted from; `stock` is that of the game, and absent if the table has none. */
export type Budgets = { day: string; cash: CashBudget; stock?: BudgetState };

/** The day on which something counts. After midnight a late request counts on the day that others have begun. */
export const countingDay = (known: string, day: string): string => (known > day ? known : day);

/** The state on a day: the sums of an earlier day no longer count. */
export const onDay = <S extends BudgetState>(state: S, day: string): S =>
  day > state.day ? { ...state, day, grantedOnDay: {} } : state;

/** The state after one more grant. */
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

/** The sum of one thing. */
export const countOf = (counts: Counts, counted: string): number =>
  Object.hasOwn(counts, counted) ? counts[counted]! : 0;

/** The budgets after a prize was won. */
export const withPrize = ({ day, cash, stock }: Budgets, prize: Prize): Budgets => ({
  day,
  cash: takes.cash(prize) ? withGrant(cash, usd, takes.cash(prize)) : cash,
  ...(stock ? { stock: takes.stock(prize) ? withGrant(stock, prize.id, 1) : stock } : {}),
});

/** Whether a prize has a stock: it can be won only so many times, in all or on a day. */
export const isStocked = ({ stock, stock_per_day }: Prize): boolean =>
  stock !== undefined || stock_per_day !== undefined;

/** Whether a table has such prizes. */
export const hasStock = (prizes: readonly Prize[]): boolean => prizes.some(isStocked);

/** Whether all of a prize's stock was won. */
export const isGone = ({ id, stock = Infinity }: Prize, { granted }: BudgetState): boolean =>
  countOf(granted, id) >= stock;

const isGoneForDay = ({ id, stock_per_day = Infinity }: Prize, { grantedOnDay }: BudgetState) =>
  countOf(grantedOnDay, id) >= stock_per_day;

/** The ids of the prizes that are out of stock, for good or for the day. */
export const outOfStock = (prizes: readonly Prize[], stock: BudgetState): string[] =>
  prizes.filter((prize) => isGone(prize, stock) || isGoneForDay(prize, stock)).map(({ id }) => id);

/** A user's wins on a day, and how many there can be. */
export type Wins = { day: string; granted: number; limit: number };

/** A user's wins on a day; undefined without a limit (0). */
export function winsOf({ wins }: Pick<User, 'wins'>, day: string, limit: number): Wins | undefined {
  if (limit === 0) return undefined;
  const on = countingDay(wins?.day ?? '', day);
  return { day: on, granted: wins?.day === on ? wins.count : 0, limit };
}

/** The user after a prize was won, which counts if wins are limited. */
export const withWin = (user: User, wins: Wins | undefined, prize: Prize): User =>
  wins && takes.wins(prize) ? { ...user, wins: { day: wins.day, count: wins.granted + 1 } } : user;

/** What budgets leave for a draw from a table. */
export function drawBudgets({ cash, stock }: Budgets, prizes: readonly Prize[], wins?: Wins): DrawBudgets {
  const out = stock ? outOfStock(prizes, stock) : [];
  return {
    cash: { grants: cash.grants, granted: countOf(cash.granted, usd), limit: cash.limit },
    ...(stock ? { stock: { grants: stock.grants, ...(out.length > 0 ? { out } : {}) } } : {}),
    ...(wins ? { wins: { granted: wins.granted, limit: wins.limit } } : {}),
  };
}

/** The same, with the number of a prize of the stock that was won. */
export function withNumber(limits: DrawBudgets, prize: Prize, { stock }: Budgets): DrawBudgets {
  if (!limits.stock || !stock || !isStocked(prize)) return limits;
  const number = countOf(stock.granted, prize.id);
  const number_of_day = countOf(stock.grantedOnDay, prize.id);
  return { ...limits, stock: { ...limits.stock, number, number_of_day } };
}
