/** By which rules a play is drawn: the ordinary ones, or those of a debug play that is forced to its result. */

import type { DebugResult } from '../vocabulary.ts';
import type { Left, Limits } from './limits.ts';
import type { Prize } from './prize-tables.ts';
import { jackpotOnly, noCashAffordable } from './prizes.ts';

/** The rules of a play. */
export type Rules = {
  /** Whether the user's limits and balance can be in its way, and it counts among the plays of the day. */
  isLimited: boolean;
  /** Whether what it wins is of the day's cash, and of its user's wins. */
  isBudgeted: boolean;
  /** What it costs, of what the game costs. */
  cost: (tickets: number) => number;
  /** The prizes with the weights that they have in it. */
  inPlay: (prizes: readonly Prize[]) => readonly Prize[];
  /** The limits of its draw, while so much is left. */
  limits: (prizes: readonly Prize[], left: Left) => Limits;
};

const ordinary: Rules = {
  isLimited: true,
  isBudgeted: true,
  cost: (tickets) => tickets,
  inPlay: (prizes) => prizes,
  limits: (prizes, left) => ({ ...left, ticketsOnly: noCashAffordable(prizes, left.cashLeftUsd) }),
};

const forced: Record<DebugResult, Rules> = {
  jackpot: {
    isLimited: false,
    isBudgeted: false,
    cost: () => 0,
    inPlay: jackpotOnly,
    limits: () => ({ cashLeftUsd: null, ticketsOnly: false }),
  },
  tickets_only: { ...ordinary, limits: (_, left) => ({ ...left, ticketsOnly: true }) },
};

/** The rules of a play: the ordinary ones unless a debug play is forced to a result. */
export const rulesOf = (debug: DebugResult | undefined): Rules => (debug ? forced[debug] : ordinary);
