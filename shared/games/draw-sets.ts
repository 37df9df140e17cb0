/** Remembers the sets of prizes that draws select from, because computing a set takes longer than a draw. */
import type { DebugResult } from '../vocabulary.ts';
import type { DrawLimits } from './budgets.ts';
import { createDrawSet, type DrawSet } from './draw.ts';
import type { Prize } from './prize-tables.ts';
import { prizesInDraw } from './rules.ts';

const leftIn = (
  { granted, limit = Infinity }: { granted: number; limit?: number | undefined } = { granted: 0 },
) => limit - granted;

const setsOfTables = new WeakMap<readonly Prize[], Map<string, DrawSet | undefined>>();

export function cachedDrawSet(
  prizes: readonly Prize[],
  limits: DrawLimits = {},
  debug?: DebugResult,
): DrawSet | undefined {
  const { cash, promotion, outside, stock, wins } = limits;
  const cashLeft = Math.min(leftIn(cash), leftIn(promotion));
  let maxCash = -1;
  for (const { kind, amount } of prizes) {
    if (kind === 'cash_usd' && amount <= cashLeft && amount > maxCash) maxCash = amount;
  }
  const winsUsedUp = wins && wins.granted >= wins.limit;
  // Contains the largest affordable cash prize instead of the remaining cash, which has too many values for a cache.
  const key = [maxCash, outside, winsUsedUp, stock?.out?.join(), debug].join('|');
  const sets = setsOfTables.get(prizes) ?? new Map<string, DrawSet | undefined>();
  setsOfTables.set(prizes, sets);
  if (!sets.has(key)) {
    const inDraw = prizesInDraw(prizes, limits, debug);
    sets.set(key, inDraw.some(({ weight }) => weight > 0) ? createDrawSet(inDraw) : undefined);
  }
  return sets.get(key);
}
