/** The rules of a draw: the ordinary ones, or those of a debug play that is forced to its result. */

import type { DebugResult } from '../vocabulary.ts';
import { coversNoCash, isAffordable, type Limits } from './budgets.ts';
import type { Prize } from './prize-tables.ts';
import { jackpotOnly } from './prizes.ts';

/** The rules of a play. */
export type Rules = {
  /** Whether the user's limits and balance can be in its way, and it counts among the plays of the day. */
  isLimited: boolean;
  /** Whether budgets limit what it can win, and it is granted from them. */
  isBudgeted: boolean;
  /** What it costs, of what the game costs. */
  cost: (tickets: number) => number;
  /** The prizes of a table with the weights that they have in it. */
  inPlay: (prizes: readonly Prize[]) => readonly Prize[];
  /** Whether nothing but tickets can be won. */
  isTicketsOnly: (prizes: readonly Prize[], limits: Limits) => boolean;
};

const ordinary: Rules = {
  isLimited: true,
  isBudgeted: true,
  cost: (tickets) => tickets,
  inPlay: (prizes) => prizes,
  isTicketsOnly: coversNoCash,
};

const forced: Record<DebugResult, Rules> = {
  jackpot: {
    isLimited: false,
    isBudgeted: false,
    cost: () => 0,
    inPlay: jackpotOnly,
    isTicketsOnly: () => false,
  },
  tickets_only: { ...ordinary, isTicketsOnly: () => true },
};

/** The rules of a play: the ordinary ones unless a debug play is forced to a result. */
export const rulesOf = (debug: DebugResult | undefined): Rules => (debug ? forced[debug] : ordinary);

/**
 * The prizes that are in a draw, in the order of their table and with the weights of the draw. Without limits, as for a
 * debug jackpot, all are.
 */
export function prizesInDraw(prizes: readonly Prize[], limits: Limits = {}, debug?: DebugResult): Prize[] {
  const rules = rulesOf(debug);
  const ticketsOnly = rules.isTicketsOnly(prizes, limits);
  return rules
    .inPlay(prizes)
    .filter((prize) => (!ticketsOnly || prize.kind === 'tickets') && isAffordable(prize, limits));
}
