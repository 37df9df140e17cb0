/** Ordinary plays and debug plays, whose result is forced, have different rules. */

import { type DebugResult, debugResults } from '../vocabulary.ts';
import { type DrawLimits, isTicketsOnly, isWithinLimits } from './budgets.ts';
import type { Prize } from './prize-tables.ts';
import { withOnlyForced } from './prizes.ts';

export type PlayRules = {
  isLimited: boolean;
  isBudgeted: boolean;
  cost: (tickets: number) => number;
  /** If a debug play forces a prize, other prizes weigh 0. */
  weighted: (prizes: readonly Prize[]) => readonly Prize[];
  isTicketsOnly: (prizes: readonly Prize[], limits: DrawLimits) => boolean;
};

const ordinary: PlayRules = {
  isLimited: true,
  isBudgeted: true,
  cost: (tickets) => tickets,
  weighted: (prizes) => prizes,
  isTicketsOnly,
};

const rulesOfResult = (result: DebugResult): PlayRules =>
  result === 'tickets_only'
    ? { ...ordinary, isTicketsOnly: () => true }
    : {
        isLimited: false,
        isBudgeted: false,
        cost: () => 0,
        weighted: (prizes) => withOnlyForced(prizes, result),
        isTicketsOnly: () => false,
      };

const forced = Object.fromEntries(debugResults.map((result) => [result, rulesOfResult(result)])) as Record<
  DebugResult,
  PlayRules
>;

export const playRulesOf = (debug: DebugResult | undefined): PlayRules => (debug ? forced[debug] : ordinary);

/** Omits prizes that exceed a budget in `limits`. If only tickets can be won, omits all other prizes. */
export function prizesInDraw(
  prizes: readonly Prize[],
  limits: DrawLimits = {},
  debug?: DebugResult,
): Prize[] {
  const rules = playRulesOf(debug);
  const ticketsOnly = rules.isTicketsOnly(prizes, limits);
  return rules
    .weighted(prizes)
    .filter((prize) => (!ticketsOnly || prize.kind === 'tickets') && isWithinLimits(prize, limits));
}
