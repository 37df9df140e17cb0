import { type BudgetState, type DrawLimits, isStockUsedUp } from '../../../shared/games/budgets.ts';
import type { PlaySession } from '../../../shared/games/play-sessions.ts';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import { playRulesOf, prizesInDraw } from '../../../shared/games/rules.ts';
import type { ListedPrize, OutReason } from './view.ts';

/** Lists a table's prizes, and whether `limits` leave them in the draw. `limitOfDay` is the whole day's cash (USD). */
export function listPrizes(
  { debug }: Pick<PlaySession, 'debug'>,
  prizes: readonly Prize[],
  limits: DrawLimits | undefined,
  limitOfDay: number,
  stock: BudgetState | undefined,
): ListedPrize[] {
  const idsIn = (some: DrawLimits | undefined) =>
    new Set(prizesInDraw(prizes, some, debug).flatMap(({ id, weight }) => (weight > 0 ? [id] : [])));
  const inDraw = idsIn(limits);
  // Ids of the prizes that return to the draw when more of the day's cash is released.
  const later = idsIn(limits?.cash && { ...limits, cash: { ...limits.cash, limit: limitOfDay } });
  const weighted = playRulesOf(debug).weighted(prizes);
  // Lists the weights of the prize table, even for a debug play, because the browser computes the table's
  // version from them.
  return prizes.map((prize, i) =>
    inDraw.has(prize.id)
      ? { ...prize, available: true }
      : {
          ...prize,
          available: false,
          out_for:
            weighted[i]!.weight < prize.weight
              ? 'test'
              : later.has(prize.id)
                ? 'later'
                : reasonNotInDraw(prize, limits, stock),
        },
  );
}

/** A played URL has no `stock`: assumes that the prize's daily stock, if it has one, was used up. */
function reasonNotInDraw(
  prize: Prize,
  limits: DrawLimits | undefined,
  stock: BudgetState | undefined,
): OutReason {
  if (!limits?.stock?.out?.includes(prize.id)) return 'today';
  const isAllWon = stock ? isStockUsedUp(prize, stock) : prize.stock_per_day === undefined;
  return isAllWon ? 'won' : 'won_today';
}
