/**
 * Simulates plays with the service's own draw function, and compares the results with the expected values.
 * Pure functions.
 */
import { type ChiSquare, testFit, upperTail } from '../../../shared/chi-square.ts';
import {
  type BudgetState,
  hasStock,
  isStocked,
  noGrants,
  outOfStock,
  withGrant,
} from '../../../shared/games/budgets.ts';
import { cashChainOf, shareOf } from '../../../shared/games/cash-limit.ts';
import { type DrawSet, drawFrom, drawSetOf } from '../../../shared/games/draw.ts';
import { cashByPlays, inDrawAt, oddsOfDay, oddsOfPlay } from '../../../shared/games/odds.ts';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import { hmac } from '../../../shared/hmac.ts';
import { rounded } from './compare-games.ts';

/**
 * Parameters of a simulation. `limitUsd` is whole USD, or null for no limit. `paced` releases the day's cash
 * hour by hour.
 */
type SimulationOptions = {
  prizes: readonly Prize[];
  days: number;
  playsPerDay: number;
  limitUsd: number | null;
  paced?: boolean;
  chains: number;
  /** Seed of the random draws. The same seed repeats the same plays. */
  seed: string;
};

/** For each set of prizes, the number of draws of each prize, in the set's order. */
type Counts = Map<DrawSet, number[]>;
/** The state of one cash chain. `limitUsd` is its limit in whole USD, or null for none. */
type CashChain = { limitUsd: number | null; wonUsd: number; plays: number };
type Day = { counts: Counts; chains: CashChain[]; ticketsOnlyPlays: number };

/** Runs a simulation, and compares its wins with the odds. */
export function simulate(options: SimulationOptions) {
  const setAt = setsOf(options.prizes);
  const stock: BudgetState = { ...noGrants };
  const expectedOn = expectations(options);
  const days = Array.from({ length: options.days }, (_, day) => playDay(options, day, setAt, stock));
  const expected = days.map(expectedOn);
  const all = summedCounts(days.map(({ counts }) => counts));
  return {
    prizes: options.prizes.map((prize) => ({
      id: prize.id,
      drawn: drawnOf(prize, all),
      expected: rounded(expectedOf(prize, all)),
    })),
    ...comparedWithOdds(all, sum(expected)),
    plays_until_tickets_only: untilTicketsOnly(options, days),
    by_day: days.map(({ counts, ticketsOnlyPlays }, day) => ({
      day: day + 1,
      ...comparedWithOdds(counts, expected[day]!),
      tickets_only_plays: ticketsOnlyPlays,
    })),
  };
}

/**
 * Returns a function that computes a day's expected cash (USD), or NaN if prizes have stocks or a cash limit is paced.
 */
function expectations({ prizes, playsPerDay, paced }: SimulationOptions): (day: Day) => number {
  const cache = new Map<number, number[]>();
  const byPlays = (limitUsd: number) => {
    const won = cache.get(limitUsd) ?? cashByPlays(prizes, limitUsd, playsPerDay) ?? [NaN];
    cache.set(limitUsd, won);
    return won;
  };
  const expected = ({ limitUsd, plays }: CashChain) => {
    if (hasStock(prizes)) return NaN;
    if (limitUsd === null) return plays * oddsOfPlay(prizes).cash;
    if (paced) return NaN;
    const won = byPlays(limitUsd);
    return won[Math.min(plays, won.length - 1)]!;
  };
  return ({ chains }) => sum(chains.map(expected));
}

/** Returns a function that selects a draw's prizes. Equal selections give the same object, as a key for `Counts`. */
function setsOf(prizes: readonly Prize[]): (leftUsd: number | null, out: string[]) => DrawSet {
  const amounts = prizes.filter(({ kind }) => kind === 'cash_usd').map(({ amount }) => amount);
  const cache = new Map<string, DrawSet>();
  return (leftUsd, out) => {
    const covered = leftUsd === null ? amounts.length : amounts.filter((amount) => amount <= leftUsd).length;
    const key = `${covered} ${out.join()}`;
    const set = cache.get(key) ?? drawSetOf(inDrawAt(prizes, leftUsd, out));
    cache.set(key, set);
    return set;
  };
}

const hoursPerDay = 24;

function playDay(
  { prizes, playsPerDay, limitUsd, paced, chains, seed }: SimulationOptions,
  day: number,
  setAt: ReturnType<typeof setsOf>,
  stock: BudgetState,
): Day {
  stock.grantedOnDay = {};
  let out = outOfStock(prizes, stock);
  const serverSeed = hmac(Buffer.from('simulation'), `${day}\n${seed}`);
  const states = new Map<number, CashChain>();
  const counts: Counts = new Map();
  let ticketsOnlyPlays = 0;
  for (let spinIndex = 0; spinIndex < playsPerDay; spinIndex++) {
    const user = `${day}-${spinIndex}`;
    const number = cashChainOf(user, chains);
    const share = limitUsd === null ? null : shareOf(limitUsd, user, chains);
    const chain = states.get(number) ?? { limitUsd: share, wonUsd: 0, plays: 0 };
    states.set(number, chain);
    const hour = Math.floor((spinIndex * hoursPerDay) / playsPerDay);
    const available = share !== null && paced ? Math.floor((share * (hour + 1)) / hoursPerDay) : share;
    const set = setAt(available === null ? null : available - chain.wonUsd, out);
    const prize = drawFrom(set, { serverSeed, clientSeed: '', spinIndex });
    const drawn = counts.get(set) ?? set.prizes.map(() => 0);
    counts.set(set, drawn);
    drawn[set.prizes.indexOf(prize)]! += 1;
    chain.plays += 1;
    if (isStocked(prize)) {
      Object.assign(stock, withGrant(stock, prize.id, 1));
      out = outOfStock(prizes, stock);
    }
    if (prize.kind === 'cash_usd') chain.wonUsd += prize.amount;
    if (set.prizes.every(({ kind }) => kind === 'tickets')) ticketsOnlyPlays += 1;
  }
  return { counts, chains: [...states.values()], ticketsOnlyPlays };
}

function summedCounts(some: readonly Counts[]): Counts {
  const all: Counts = new Map();
  for (const counts of some) {
    for (const [set, drawn] of counts)
      all.set(
        set,
        drawn.map((count, i) => count + (all.get(set)?.[i] ?? 0)),
      );
  }
  return all;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const overSets = (counts: Counts, sumOver: (set: DrawSet, drawn: readonly number[]) => number) =>
  sum([...counts].map(([set, drawn]) => sumOver(set, drawn)));
const drawnOf = (prize: Prize, counts: Counts) =>
  overSets(counts, ({ prizes }, drawn) => drawn[prizes.indexOf(prize)] ?? 0);
const expectedOf = (prize: Prize, counts: Counts) =>
  overSets(counts, ({ prizes, total }, drawn) =>
    prizes.includes(prize) ? (sum(drawn) * prize.weight) / total : 0,
  );

/**
 * Compares cash and prize counts with the odds. `probability` is the p-value: the chance that random draws differ at
 * least this much from the odds.
 */
function comparedWithOdds(counts: Counts, expected: number) {
  const prizes = [...new Set([...counts.keys()].flatMap((set) => set.prizes))];
  const cash = prizes.filter(({ kind }) => kind === 'cash_usd');
  const won = sum(cash.map((prize) => prize.amount * drawnOf(prize, counts)));
  const ofDraws = overSets(counts, (set, drawn) => sum(drawn) * oddsOfPlay(set.prizes).cash);
  const variance = overSets(counts, (set, drawn) => sum(drawn) * oddsOfPlay(set.prizes).cashVariance);
  // With fewer than 5 expected wins of a cash prize, the total cash is not normally distributed, so its test is
  // omitted.
  const isEnough = variance > 0 && cash.every((prize) => expectedOf(prize, counts) >= 5);
  const squares = { statistic: (won - ofDraws) ** 2 / variance, freedom: 1 };
  return {
    plays: overSets(counts, (_, drawn) => sum(drawn)),
    cash_usd: {
      won,
      // Expected cash before the simulation, from odds and limits; null if it cannot be computed.
      expected: Number.isNaN(expected) ? null : rounded(expected),
      // Expected cash given the sets of prizes from which this simulation drew.
      expected_of_draws: rounded(ofDraws),
      standard_deviation: rounded(Math.sqrt(variance)),
    },
    chi_square: { prizes: fitOf(counts), cash_usd: isEnough ? figures(squares) : null },
  };
}

/** Tests all draws against the weights. Draws from different sets are independent, so their statistics add up. */
function fitOf(counts: Counts) {
  const fits = [...counts].flatMap(
    ([{ prizes }, drawn]) =>
      testFit(
        drawn,
        prizes.map(({ weight }) => weight),
      ) ?? [],
  );
  const statistic = sum(fits.map((fit) => fit.statistic));
  return fits.length === 0 ? null : figures({ statistic, freedom: sum(fits.map(({ freedom }) => freedom)) });
}

const figures = ({ statistic, freedom }: Omit<ChiSquare, 'probability'>): ChiSquare => ({
  statistic: rounded(statistic),
  freedom,
  probability: rounded(upperTail(statistic, freedom)),
});

/** Returns the number of plays until only tickets can be won: the simulated mean and the expected value. */
function untilTicketsOnly(
  { prizes, limitUsd, paced, chains, days, playsPerDay }: SimulationOptions,
  simulated: readonly Day[],
) {
  const odds =
    limitUsd === null || paced || hasStock(prizes) || chains > 1 ? undefined : oddsOfDay(prizes, limitUsd);
  // If a day ended with enough cash for a prize, its plays never came down to tickets only, so the mean is unknown.
  if (!odds || simulated.some(({ ticketsOnlyPlays }) => ticketsOnlyPlays === 0)) return null;
  const mean = playsPerDay - sum(simulated.map(({ ticketsOnlyPlays }) => ticketsOnlyPlays)) / days;
  return { mean: rounded(mean), expected: rounded(odds.playsUntilTicketsOnly) };
}
