import {
  type AmountByKey,
  amountIn,
  type BudgetState,
  hasStock,
  outOfStock,
} from '../../../shared/games/budgets.ts';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import { readStock } from '../../../shared/games/stored-budgets.ts';
import type { Game } from '../../../shared/vocabulary.ts';
import { Problem } from '../../common/problem.ts';

/** Returns how many of a prize are left, in all and today, where a limit exists. */
export function stockLeft({ id, stock, stock_per_day }: Prize, { granted, grantedOnDay }: BudgetState) {
  const left = (limit: number, counts: AmountByKey) => Math.max(0, limit - amountIn(counts, id));
  return {
    ...(stock === undefined ? {} : { stock_left: left(stock, granted) }),
    ...(stock_per_day === undefined ? {} : { stock_left_today: left(stock_per_day, grantedOnDay) }),
  };
}

export function inStock(prizes: readonly Prize[], stock: BudgetState): Prize[] {
  const out = outOfStock(prizes, stock);
  return prizes.filter(({ id }) => !out.includes(id));
}

/** Throws a Problem if a prize has already been won more often than its new stock allows. */
export async function requireStockCoversWins(
  organizationId: string,
  game: Game,
  prizes: readonly Prize[],
  day: string,
) {
  if (!hasStock(prizes)) return;
  const { granted } = await readStock(organizationId, game, day);
  for (const { id, stock = Infinity } of prizes) {
    const count = amountIn(granted, id);
    if (count > stock) {
      throw new Problem(`"${id}" of ${game} was won ${count} times, so its stock cannot be ${stock}.`);
    }
  }
}
