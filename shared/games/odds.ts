/** Computes expected values from a prize table: mean wins per play, and plays until the day's cash is used up. */
import type { PrizeKind } from '../vocabulary.ts';
import type { Prize } from './prize-tables.ts';
import { centsOf } from './prizes.ts';
import { prizesInDraw } from './rules.ts';

/** Mean results of one play, and the probability of each kind of prize. */
type PlayOdds = {
  /** Mean cash won per play, in USD. */
  cash: number;
  /** Variance of the cash won per play, in USD squared. */
  cashVariance: number;
  /** Mean value won per play, in USD. Includes cash; prizes without a known value count as 0. */
  value: number;
  tickets: number;
  /** Probability that a play wins each kind of prize, from 0 to 1. */
  kinds: Partial<Record<PrizeKind, number>>;
};

/** Part of a day in which the same prizes can be drawn. */
type Phase = {
  /** The phase lasts while at least this much of the day's cash remains, in whole USD. */
  fromUsd: number;
  /** Expected number of plays in this phase. Infinity for the last phase, in which no cash can be won. */
  plays: number;
  prizes: Prize[];
};

/** Expected values for a day that has enough plays to use up the day's cash. */
export type DayOdds = {
  /** Expected number of plays until the remaining cash is less than the highest cash prize. */
  playsUntilDearestIsOut: number;
  playsUntilTicketsOnly: number;
  /** Mean cash left at the end of the day, in USD: an amount lower than every cash prize. */
  leftOverUsd: number;
  /** The day's phases in order. The first has all prizes within the cash limit, the last only tickets. */
  phases: Phase[];
};

/** Returns the mean results of a play with all of `prizes`. Sums are exact (`BigInt`); only divisions round. */
export function oddsOfPlay(prizes: readonly Prize[]): PlayOdds {
  const weights = sum(prizes.map(({ weight }) => weight));
  const cash = cashOf(prizes);
  const total = weighted(cash, ({ amount }) => amount);
  const squares = weighted(cash, ({ amount }) => amount ** 2);
  const kinds: PlayOdds['kinds'] = {};
  for (const { kind, weight } of prizes) kinds[kind] = (kinds[kind] ?? 0) + weight;
  for (const [kind, weight] of Object.entries(kinds)) kinds[kind as PrizeKind] = weight / weights;
  return {
    cash: Number(total) / weights,
    // Subtracts in BigInt: the terms are large and nearly equal, so a floating-point difference would be imprecise.
    cashVariance: Number(BigInt(weights) * squares - total ** 2n) / weights ** 2,
    value: Number(weighted(prizes, (prize) => centsOf(prize) ?? 0)) / 100 / weights,
    tickets: Number(weighted(prizes, ({ kind, amount }) => (kind === 'tickets' ? amount : 0))) / weights,
    kinds,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const weighted = (prizes: readonly Prize[], value: (prize: Prize) => number): bigint =>
  prizes.reduce((all, prize) => all + BigInt(prize.weight) * BigInt(value(prize)), 0n);

/** Returns the prizes that can be drawn when `leftUsd` of the day's cash remains (whole USD; null: no limit). */
export const inDrawAt = (prizes: readonly Prize[], leftUsd: number | null, usedUp: string[] = []): Prize[] =>
  prizesInDraw(prizes, {
    ...(leftUsd === null ? {} : { cash: { grants: 0, granted: 0, limit: leftUsd } }),
    stock: { grants: 0, out: usedUp },
  });

/** Computes how fast plays use up `limitUsd`. Undefined without cash prizes. All weights must be at least 1. */
export function oddsOfDay(prizes: readonly Prize[], limitUsd: number): DayOdds | undefined {
  const amounts = cashOf(prizes).map(({ amount }) => amount);
  if (amounts.length === 0) return undefined;
  const phases = phasesOf(prizes, limitUsd, amounts);
  // Step in USD that divides every cash prize, so that the remaining cash falls in whole steps.
  const step = amounts.reduce(greatestDivisor);
  const maxAmount = Math.max(...amounts) / step;
  // Ring buffer: `visits[n % length]` is the probability that the remaining cash is n steps at some time of
  // the day.
  const visits = new Float64Array(maxAmount + 1);
  const sums = Math.floor(limitUsd / step);
  const stepsByMean = maxAmount * Math.max(0, Math.floor((sums - maxSums) / maxAmount));
  if (stepsByMean > 0) phases[0]!.plays += (stepsByMean * step) / oddsOfPlay(prizes).cash;
  let left = sums - stepsByMean;
  visits[left % visits.length] = 1;
  for (const phase of phases.slice(0, -1)) left = computePhase(phase, left, step, visits);
  const leftOver = sum(Array.from({ length: left + 1 }, (_, steps) => visits[steps]! * steps * step));
  const isEnough = limitUsd >= maxAmount * step;
  return {
    playsUntilDearestIsOut: isEnough ? phases[0]!.plays : 0,
    playsUntilTicketsOnly: sum(phases.slice(0, -1).map(({ plays }) => plays)),
    leftOverUsd: leftOver + (limitUsd % step),
    phases,
  };
}

const cashOf = (prizes: readonly Prize[]) => prizes.filter(({ kind }) => kind === 'cash_usd');
const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

function phasesOf(prizes: readonly Prize[], limitUsd: number, amounts: readonly number[]): Phase[] {
  return [...new Set([0, ...amounts])]
    .filter((fromUsd) => fromUsd <= limitUsd)
    .sort((a, b) => b - a)
    .map((fromUsd) => ({
      fromUsd,
      plays: fromUsd === 0 ? Infinity : 0,
      prizes: inDrawAt(prizes, fromUsd),
    }));
}

/**
 * Computes `phase.plays` for a phase that starts with `from` steps of remaining cash. Updates `visits`. Returns the
 * steps at which the next phase starts.
 */
function computePhase(phase: Phase, from: number, step: number, visits: Float64Array): number {
  const wins = winsOf(cashOf(phase.prizes), step);
  const playsAtEach = 1 / sum(winsOf(phase.prizes, step).map(({ chance }) => chance));
  const last = phase.fromUsd / step;
  let left = from;
  for (; left >= last; left--) {
    const chanceHere = visits[left % visits.length]!;
    visits[left % visits.length] = 0;
    phase.plays += chanceHere * playsAtEach;
    // Passes the probability on to lower amounts.
    for (const { steps, chance } of wins) visits[(left - steps) % visits.length]! += chanceHere * chance;
  }
  return left;
}

/**
 * Returns the USD that 0, 1, 2, … up to `plays` plays on one day win on average. The list ends early if too little cash
 * remains for any cash prize. Returns undefined if the computation takes too long.
 */
export function cashByPlays(prizes: readonly Prize[], limitUsd: number, plays: number): number[] | undefined {
  const won = [0];
  const amounts = cashOf(prizes).map(({ amount }) => amount);
  if (amounts.length === 0) return won;
  const step = amounts.reduce(greatestDivisor);
  const [minAmount, maxAmount] = [Math.min(...amounts) / step, Math.max(...amounts) / step];
  let [low, high] = [Math.floor(limitUsd / step), Math.floor(limitUsd / step)];
  if (high > maxSums) return undefined;
  const chances = new Float64Array(high + 1);
  chances[high] = 1;
  // Processes low amounts first. In the opposite order, `move` would move the same probability twice for one play.
  const phases = phasesOf(prizes, limitUsd, amounts).reverse();
  const moves = phases.map((phase, i) => ({
    from: phase.fromUsd / step,
    below: i + 1 < phases.length ? phases[i + 1]!.fromUsd / step : chances.length,
    wins: winsOf(phase.prizes, step),
  }));
  for (let work = 0; won.length <= plays && high >= minAmount; ) {
    low = Math.max(minAmount, low - maxAmount);
    work += (high - low + 1) * amounts.length;
    if (work > maxWork) return undefined;
    let steps = 0;
    for (const { from, below, wins } of moves) {
      steps += move(chances, wins, Math.max(from, low), Math.min(below - 1, high));
    }
    won.push(won.at(-1)! + steps * step);
    while (low < high && chances[low]! < negligible) low++;
    while (high >= minAmount && chances[high]! < negligible) high--;
  }
  return won;
}

/**
 * Updates `chances` for one more play while `low` to `high` steps of cash remain. `chances[n]` is the probability
 * that n steps remain. Returns what these amounts add to the play's mean win, in steps.
 */
function move(chances: Float64Array, wins: ReturnType<typeof winsOf>, low: number, high: number): number {
  const lost = sum(wins.map(({ chance }) => chance));
  let played = 0;
  for (let left = low; left <= high; left++) {
    const here = chances[left]!;
    played += here;
    chances[left] = here * (1 - lost);
    for (let i = 0; i < wins.length; i++) chances[left - wins[i]!.steps]! += here * wins[i]!.chance;
  }
  return played * sum(wins.map(({ steps, chance }) => steps * chance));
}

// Bounds that keep a computation within seconds: the numbers of cash amounts and of additions, and the probability
// below which an amount is ignored.
const maxSums = 5_000_000;
const maxWork = 400_000_000;
const negligible = 1e-18;

/** Returns each cash prize's amount in steps of `step` USD, and its chance among all `prizes`. */
function winsOf(prizes: readonly Prize[], step: number) {
  const total = sum(prizes.map(({ weight }) => weight));
  return cashOf(prizes).map(({ amount, weight }) => ({ steps: amount / step, chance: weight / total }));
}
