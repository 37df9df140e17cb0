/**
 * What follows from a table's weights before anybody has played: what a play gives, and how long a day's cash
 * lasts. Pure.
 */
import type { PrizeKind } from '../vocabulary.ts';
import type { Prize } from './prize-tables.ts';
import { centsOf } from './prizes.ts';
import { prizesInDraw } from './rules.ts';

/** What a play gives in the mean, of the prizes that are in its draw. */
export type PlayOdds = {
  /** USD. */
  cash: number;
  /** The mean square of what a play's cash differs from that by, in USD squared. */
  cashVariance: number;
  /** USD, cash included: of all prizes that have a value. */
  value: number;
  tickets: number;
  /** The share of the plays, 0 to 1, that win a prize of a kind. */
  kinds: Partial<Record<PrizeKind, number>>;
};

/** A part of the day: while what is left of its cash covers the same prizes. */
export type Stage = {
  /** Whole USD: as long as no less than this is left. */
  fromUsd: number;
  /** How many plays it lasts in the mean; infinite for the last, in which no cash can be won. */
  plays: number;
  prizes: Prize[];
};

/** How a day's cash goes, by the mean of all days on which there are plays enough. */
export type DayOdds = {
  /** Plays until the dearest cash prize is no longer covered. */
  playsUntilDearestIsOut: number;
  playsUntilTicketsOnly: number;
  /** USD that cannot be won any more. */
  leftOverUsd: number;
  /** Those that the day's cash is enough for, from all prizes to tickets only. */
  stages: Stage[];
};

/** What a play gives, of prizes that are all in the draw. Exact but for the rounding of the results. */
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
    // A difference of two numbers that may be large and near each other, and so of whole ones.
    cashVariance: Number(BigInt(weights) * squares - total ** 2n) / weights ** 2,
    value: Number(weighted(prizes, (prize) => centsOf(prize) ?? 0)) / 100 / weights,
    tickets: Number(weighted(prizes, ({ kind, amount }) => (kind === 'tickets' ? amount : 0))) / weights,
    kinds,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const weighted = (prizes: readonly Prize[], value: (prize: Prize) => number): bigint =>
  prizes.reduce((all, prize) => all + BigInt(prize.weight) * BigInt(value(prize)), 0n);

/**
 * The prizes in an ordinary draw while so much of the day's cash (whole USD; null: no limit) is left, and
 * these are out.
 */
export const inDrawAt = (prizes: readonly Prize[], leftUsd: number | null, out: string[] = []): Prize[] =>
  prizesInDraw(prizes, {
    ...(leftUsd === null ? {} : { cash: { grants: 0, granted: 0, limit: leftUsd } }),
    stock: { grants: 0, out },
  });

/**
 * How a limit (whole USD) of a day's cash goes; undefined if the table has no cash prizes. Every weight is at
 * least 1. What is left only falls, so one pass from the limit down gives the chance that a day comes by each
 * sum, and how many plays it stays there. Of a limit of millions the first part goes by the mean, which the
 * way to the end no longer depends on.
 */
export function oddsOfDay(prizes: readonly Prize[], limitUsd: number): DayOdds | undefined {
  const amounts = cashOf(prizes).map(({ amount }) => amount);
  if (amounts.length === 0) return undefined;
  const stages = stagesOf(prizes, limitUsd, amounts);
  // All that is won is a multiple of it.
  const step = amounts.reduce(greatestDivisor);
  const most = Math.max(...amounts) / step;
  // The chances of the sums that the next win can lead to, each at its number of steps, modulo the length.
  const visits = new Float64Array(most + 1);
  const sums = Math.floor(limitUsd / step);
  const byMean = most * Math.max(0, Math.floor((sums - mostSums) / most));
  if (byMean > 0) stages[0]!.plays += (byMean * step) / oddsOfPlay(prizes).cash;
  let left = sums - byMean;
  visits[left % visits.length] = 1;
  for (const stage of stages.slice(0, -1)) left = pass(stage, left, step, visits);
  const leftOver = sum(Array.from({ length: left + 1 }, (_, steps) => visits[steps]! * steps * step));
  const isEnough = limitUsd >= most * step;
  return {
    playsUntilDearestIsOut: isEnough ? stages[0]!.plays : 0,
    playsUntilTicketsOnly: sum(stages.slice(0, -1).map(({ plays }) => plays)),
    leftOverUsd: leftOver + (limitUsd % step),
    stages,
  };
}

const cashOf = (prizes: readonly Prize[]) => prizes.filter(({ kind }) => kind === 'cash_usd');
const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

function stagesOf(prizes: readonly Prize[], limitUsd: number, amounts: readonly number[]): Stage[] {
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
 * Adds up the plays of a stage, hands its visits on to the sums below, and returns the highest sum of the
 * next stage.
 */
function pass(stage: Stage, from: number, step: number, visits: Float64Array): number {
  const wins = winsOf(cashOf(stage.prizes), step);
  const playsAtEach = 1 / sum(winsOf(stage.prizes, step).map(({ chance }) => chance));
  const last = stage.fromUsd / step;
  let left = from;
  for (; left >= last; left--) {
    const here = visits[left % visits.length]!;
    visits[left % visits.length] = 0;
    stage.plays += here * playsAtEach;
    for (const { steps, chance } of wins) visits[(left - steps) % visits.length]! += here * chance;
  }
  return left;
}

/**
 * The USD that are won by each number of plays of a day in the mean, under a limit (whole USD) of its cash:
 * of none, of one, and so on until no more can be won or there are as many as given. Undefined if it took too
 * long to work out, as for many thousands of plays under a limit of as many USD.
 */
export function cashByPlays(prizes: readonly Prize[], limitUsd: number, plays: number): number[] | undefined {
  const won = [0];
  const amounts = cashOf(prizes).map(({ amount }) => amount);
  if (amounts.length === 0) return won;
  const step = amounts.reduce(greatestDivisor);
  const [least, most] = [Math.min(...amounts) / step, Math.max(...amounts) / step];
  let [low, high] = [Math.floor(limitUsd / step), Math.floor(limitUsd / step)];
  if (high > mostSums) return undefined;
  const chances = new Float64Array(high + 1);
  chances[high] = 1;
  // From the lowest sums on, so that a sum is handed on before others are added to it.
  const stages = stagesOf(prizes, limitUsd, amounts).reverse();
  const moves = stages.map((stage, i) => ({
    from: stage.fromUsd / step,
    below: i + 1 < stages.length ? stages[i + 1]!.fromUsd / step : chances.length,
    wins: winsOf(stage.prizes, step),
  }));
  for (let work = 0; won.length <= plays && high >= least; ) {
    low = Math.max(least, low - most);
    work += (high - low + 1) * amounts.length;
    if (work > mostWork) return undefined;
    let steps = 0;
    for (const { from, below, wins } of moves) {
      steps += move(chances, wins, Math.max(from, low), Math.min(below - 1, high));
    }
    won.push(won.at(-1)! + steps * step);
    while (low < high && chances[low]! < unseen) low++;
    while (high >= least && chances[high]! < unseen) high--;
  }
  return won;
}

/** Makes one play of each of some sums, and returns how many steps it wins in the mean. */
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

// Both are some seconds.
const mostSums = 5_000_000;
const mostWork = 400_000_000;
const unseen = 1e-18;

/** The cash prizes among others, each with its chance of being drawn of them all. */
function winsOf(prizes: readonly Prize[], step: number) {
  const total = sum(prizes.map(({ weight }) => weight));
  return cashOf(prizes).map(({ amount, weight }) => ({ steps: amount / step, chance: weight / total }));
}
