/**
 * Whether what was won is what its draws were to give: a CUSUM test for each prize, and for the cash of all
 * games. Pure.
 *
 * A test bets on its prize coming some times as often as its odds say. A draw multiplies the stake by how
 * much likelier its result is by the bet than by the odds; who has lost begins anew with a stake of one.
 * Whatever set of prizes each draw was made from, a fair one leaves the mean of the next stake at the last
 * one. So fair draws take a stake to `N` once in `N` looks at most (Lorden 1971), however many looks there
 * are.
 */
import type { DrawSet } from '../games/draw.ts';
import type { Prize } from '../games/prize-tables.ts';
import type { Game } from '../vocabulary.ts';

/** How often each prize of a set was drawn, in the order of the set. */
export type Drawn = { game: Game; set: DrawSet; counts: number[] };

/** What a test watches: how often a prize of a game is won, or how many USD of cash are, in all games. */
type Watched = { game: Game; prize: string } | { prize: typeof allCash };
export const allCash = 'cash_usd in all games';

/** What a test has come to since its stake was last lost. */
export type Deviation = Watched & {
  /** How many times as much as expected it bets on. */
  factor: number;
  /** Instant (ISO). */
  since: string;
  /** Times won, or USD. */
  won: number;
  expected: number;
  /** The logarithm of the stake: above 0. */
  evidence: number;
};

/** Too few of a prize is a deviation as well: players were promised its odds. */
const factors = [0.5, 1.5, 3];

/** In the mean a stage has no more than one false alarm in so many looks. */
export const looksPerFalseAlarm = 10_000;

/** The evidence from which on one of so many tests that are looked at together is not taken for chance any more. */
const alarmingAt = (tests: number): number => Math.log(looksPerFalseAlarm * tests);

/**
 * Which of the deviations are not taken for chance any more, among so many tests that are looked at together:
 * of each prize the clearest. Its tests begin anew; `open` are those of all others.
 */
export function alarmsIn(
  deviations: readonly Deviation[],
  tests: number,
): { alarms: Deviation[]; open: Deviation[] } {
  const clearestFirst = deviations.toSorted((a, b) => b.evidence - a.evidence);
  const alarms = new Map<string, Deviation>();
  for (const deviation of clearestFirst) {
    const name = prizeOf(deviation);
    if (deviation.evidence >= alarmingAt(tests) && !alarms.has(name)) alarms.set(name, deviation);
  }
  const open = clearestFirst.filter((deviation) => !alarms.has(prizeOf(deviation)));
  return { alarms: [...alarms.values()], open };
}

/** The probability at most, of each look at so many tests, that chance takes one of them so far. */
export const chanceOf = ({ evidence }: Deviation, tests: number): number =>
  Math.min(1, tests * Math.exp(-evidence));

/**
 * Carries the tests on by what was drawn since an instant (ISO). Returns those with a stake above one, the
 * others begin anew, and how many there were to carry on.
 */
export function weigh(
  before: readonly Deviation[],
  drawn: readonly Drawn[],
  since: string,
): { deviations: Deviation[]; tests: number } {
  const open = new Map(before.map((deviation) => [nameOf(deviation), deviation]));
  let tests = 0;
  for (const watched of watchedIn(drawn)) {
    const parts = drawn.filter(({ game }) => !('game' in watched) || watched.game === game);
    const sums = parts.map((part) => sumsOf(part, valueIn(watched)));
    for (const factor of factors) {
      const test = { ...watched, factor, since, won: 0, expected: 0, evidence: 0 };
      const carried = carry(open.get(nameOf(test)) ?? test, sums);
      tests++;
      if (carried.evidence > 0) open.set(nameOf(test), carried);
      else open.delete(nameOf(test));
    }
  }
  return { deviations: [...open.values()], tests };
}

const prizeOf = (watched: Watched) => `${'game' in watched ? watched.game : ''} ${watched.prize}`;
const nameOf = (test: Watched & { factor: number }) => `${prizeOf(test)} ${test.factor}`;

function watchedIn(drawn: readonly Drawn[]): Watched[] {
  const prizes = drawn.flatMap(({ game, set }) => set.prizes.map(({ id }) => ({ game, prize: id })));
  const unique = new Map(prizes.map((watched) => [prizeOf(watched), watched]));
  const hasCash = drawn.some(({ set }) => set.prizes.some((prize) => usdOf(prize) > 0));
  return [...unique.values(), ...(hasCash ? [{ prize: allCash } as const] : [])];
}

const usdOf = ({ kind, amount }: Prize) => (kind === 'cash_usd' ? amount : 0);
const valueIn = (watched: Watched) => (prize: Prize) =>
  'game' in watched ? Number(prize.id === watched.prize) : usdOf(prize);

/** What a set gives of what is watched: how likely each value is, and how much there was of it in how many draws. */
type Sums = { shares: Map<number, number>; mean: number; draws: number; won: number };

function sumsOf({ set, counts }: Drawn, amountIn: (prize: Prize) => number): Sums {
  const sums: Sums = { shares: new Map(), mean: 0, draws: 0, won: 0 };
  for (const [index, prize] of set.prizes.entries()) {
    if (prize.weight === 0) continue;
    const [value, share, count] = [amountIn(prize), prize.weight / set.total, counts[index]!];
    sums.shares.set(value, (sums.shares.get(value) ?? 0) + share);
    sums.mean += share * value;
    sums.draws += count;
    sums.won += count * value;
  }
  return sums;
}

function carry(test: Deviation, parts: readonly Sums[]): Deviation {
  let { won, expected, evidence } = test;
  for (const { shares, mean, draws, won: more } of parts) {
    won += more;
    expected += draws * mean;
    const tilt = tiltTo(shares, mean, test.factor);
    if (tilt) evidence += tilt.exponent * more - draws * tilt.logMean;
  }
  return { ...test, won, expected, evidence };
}

/**
 * The bet on a mean that is some times as large: each value is taken to be likelier by e to the value times
 * the exponent, and by one factor for all, e to the logarithm of the mean of these. Undefined if all values
 * are the same.
 */
function tiltTo(shares: ReadonlyMap<number, number>, mean: number, factor: number) {
  const values = [...shares.keys()];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (least === most) return undefined;
  const half = (mean + (factor > 1 ? most : least)) / 2;
  const wanted = factor > 1 ? Math.min(factor * mean, half) : Math.max(factor * mean, half);
  const leastPositive = Math.min(...values.filter((value) => value > 0));
  let [low, high] = factor > 1 ? [0, steepest / most] : [-steepest / leastPositive, 0];
  for (let i = 0; i < halvings; i++) {
    const middle = (low + high) / 2;
    if (tilted(shares, middle).mean < wanted) low = middle;
    else high = middle;
  }
  return { exponent: low, logMean: Math.log(tilted(shares, low).weight) };
}
// A mean that is a 10^20th of the largest value is raised to half of it by so much.
const steepest = 50;
const halvings = 60;

function tilted(shares: ReadonlyMap<number, number>, exponent: number) {
  let [weight, sum] = [0, 0];
  for (const [value, share] of shares) {
    const here = share * Math.exp(exponent * value);
    weight += here;
    sum += here * value;
  }
  return { weight, mean: sum / weight };
}
