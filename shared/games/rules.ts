/** Rules of a draw: the ordinary rules, or those of a debug play with a forced result. */

import type { DebugResult } from '../vocabulary.ts';
import { coversNoCash, isAffordable, type Limits } from './budgets.ts';
import type { Prize } from './prize-tables.ts';
import { jackpotOnly } from './prizes.ts';

/** Rules of a play. */
export type Rules = {
  /** Whether the play needs enough tickets and counts toward the daily limit of plays. */
  isLimited: boolean;
  /** Whether budgets limit the draw, and its win counts against them. */
  isBudgeted: boolean;
  /** Returns the play's cost from its game's cost, in tickets: the same, or 0 for a debug jackpot. */
  cost: (tickets: number) => number;
  /** Returns the prizes of a table with their weights in the draw. */
  weighted: (prizes: readonly Prize[]) => readonly Prize[];
  /** Returns whether only tickets can be won. */
  isTicketsOnly: (prizes: readonly Prize[], limits: Limits) => boolean;
};

const ordinary: Rules = {
  isLimited: true,
  isBudgeted: true,
  cost: (tickets) => tickets,
  weighted: (prizes) => prizes,
  isTicketsOnly: coversNoCash,
};

const forced: Record<DebugResult, Rules> = {
  jackpot: {
    isLimited: false,
    isBudgeted: false,
    cost: () => 0,
    weighted: jackpotOnly,
    isTicketsOnly: () => false,
  },
  tickets_only: { ...ordinary, isTicketsOnly: () => true },
};

/** Returns the rules of a debug result, or the ordinary rules. */
export const rulesOf = (debug: DebugResult | undefined): Rules => (debug ? forced[debug] : ordinary);

/**
 * Returns the prizes in a draw, in the order of their table and with their weights in the draw. Without
 * `limits`, as for a debug jackpot, no prize is left out.
 */
export function prizesInDraw(prizes: readonly Prize[], limits: Limits = {}, debug?: DebugResult): Prize[] {
  const rules = rulesOf(debug);
  const ticketsOnly = rules.isTicketsOnly(prizes, limits);
  return rules
    .weighted(prizes)
    .filter((prize) => (!ticketsOnly || prize.kind === 'tickets') && isAffordable(prize, limits));
}
