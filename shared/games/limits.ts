/** What limits a draw, and which prizes that leaves in it. Pure, and without Node: a page's script imports it. */
import type { Prize } from './prize-tables.ts';
import { isWin } from './prizes.ts';

/** What budgets leave for a draw. */
export type Left = {
  /** Whole USD of the day's cash; null: no limit. */
  cashLeftUsd: number | null;
  /** Whether the user has had the wins of the day: what remains are tickets and entries. */
  winsUsedUp?: boolean;
  /** The ids of the prizes that are out of stock. */
  out?: readonly string[];
};

/** What may be drawn at the moment: what budgets leave, or tickets alone. */
export type Limits = Left & { ticketsOnly: boolean };

/** The prizes that are in the draw, in the order of their table. */
export function eligiblePrizes(
  prizes: readonly Prize[],
  { cashLeftUsd, ticketsOnly, winsUsedUp = false, out = [] }: Limits,
): Prize[] {
  return prizes.filter(({ id, kind, amount }) => {
    if (out.includes(id)) return false;
    if (ticketsOnly) return kind === 'tickets';
    if (winsUsedUp && isWin(kind)) return false;
    return kind !== 'cash_usd' || cashLeftUsd === null || amount <= cashLeftUsd;
  });
}
