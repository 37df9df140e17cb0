/** The stock of prizes: how many of each may be won, in all and on a day, and how many were. Pure. */
import type { Prize } from './prize-tables.ts';

type Counts = Readonly<Record<string, number>>;
/** How many of each prize, by its id, were won in all and on a day, from whatever table. */
export type Counted = { won: Counts; wonOnDay: Counts };
/** How the stock of a game stands: the number of its grants, and what was won up to then; in all, and on this day. */
export type Stock = Counted & { sequence: number; day: string };

/** Whether so many of a prize may be won and no more, in all or on a day. */
export const isStocked = ({ stock, stock_per_day }: Prize): boolean =>
  stock !== undefined || stock_per_day !== undefined;

/** Whether a table has such prizes. */
export const hasStock = (prizes: readonly Prize[]): boolean => prizes.some(isStocked);

/** The ids of the prizes of a table that are out of stock, for good or for the day. */
export const outOfStock = (prizes: readonly Prize[], stock: Counted): string[] =>
  prizes.filter((prize) => isGone(prize, stock) || isGoneForDay(prize, stock)).map(({ id }) => id);

/** Whether all of a prize's stock was won. */
export const isGone = ({ id, stock = Infinity }: Prize, { won }: Counted): boolean =>
  countOf(won, id) >= stock;

const isGoneForDay = ({ id, stock_per_day = Infinity }: Prize, { wonOnDay }: Counted) =>
  countOf(wonOnDay, id) >= stock_per_day;

/** How many of a prize were won, by its id. */
export const countOf = (counts: Counts, id: string): number => (Object.hasOwn(counts, id) ? counts[id]! : 0);

/** What was won after one more of the prize with this id. */
export const withOneMore = ({ won, wonOnDay }: Counted, id: string): Counted => ({
  won: { ...won, [id]: countOf(won, id) + 1 },
  wonOnDay: { ...wonOnDay, [id]: countOf(wonOnDay, id) + 1 },
});

/** How the stock stands after one more grant, of the prize with this id. */
export const withGrantOf = (stock: Stock, id: string): Stock => ({
  ...stock,
  ...withOneMore(stock, id),
  sequence: stock.sequence + 1,
});
