/**
 * Tests whether wins match the odds of their draws. Uses CUSUM tests for each prize, and for the cash of all
 * games. Pure functions. A test starts with a stake of 1 and bets that its prize is won `factor` times as
 * often as the odds say. Each draw multiplies the stake by the probability of the drawn prize if the bet is
 * right, and divides it by the prize's probability according to the odds. After each check, a stake below 1
 * is reset to 1. If draws are fair, a draw does not change the expected stake, whatever prizes are in the
 * draw. A stake therefore reaches `N` at most once in `N` checks on average (Lorden 1971).
 */
import type { DrawSet } from '../games/draw.ts';
import type { Prize } from '../games/prize-tables.ts';
import type { Game } from '../vocabulary.ts';

/**
 * Number of times that each prize of a draw set (the prizes of a draw) was drawn in a game. `counts` has the
 * same order as the set's prizes.
 */
export type Drawn = { game: Game; set: DrawSet; counts: number[] };

/**
 * Quantity that a test watches: the number of wins of one prize in a game, or the USD of cash won in all
 * games.
 */
type Watched = { game: Game; prize: string } | { prize: typeof allCash };
export const allCash = 'cash_usd in all games';

/**
 * State of a CUSUM test: the draws since its stake was last reset to 1, and the evidence that they do not
 * match the odds.
 */
export type Deviation = Watched & {
  /** The test bets that the watched quantity is this multiple of the expected quantity. */
  factor: number;
  /** ISO instant from which the test counts draws. */
  since: string;
  /** Watched quantity since `since`: number of wins, or USD. */
  won: number;
  expected: number;
  /** Natural logarithm of the test's stake. */
  evidence: number;
};

/**
 * Values of `factor`. Each prize, and the cash of all games, has one test per value. The tests with 0.5
 * detect prizes that are won less often than the odds promise to players.
 */
const factors = [0.5, 1.5, 3];

/**
 * If all draws are fair, the hourly rounds of checks raise on average at most one false alarm in this number
 * of rounds. A round checks all organizations.
 */
export const checksPerFalseAlarm = 10_000;

/**
 * Returns the evidence from which a deviation raises an alarm. The more tests there are in a round of checks,
 * the more evidence an alarm needs, because each test can cause a false alarm.
 */
const alarmingAt = (tests: number): number => Math.log(checksPerFalseAlarm * tests);

/**
 * Selects the deviations that raise an alarm. A prize raises an alarm if one of its deviations has enough
 * evidence. `alarms` has the strongest deviation of each of these prizes, and `open` has all deviations of
 * the other prizes. After an alarm, all tests of the prize start again, because none of its deviations is in
 * `open`. `tests` is the number of tests in one round of checks of all organizations.
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

/**
 * Returns an upper bound for the p-value of a deviation. The p-value is the probability that fair draws give
 * at least one of `tests` tests this much evidence in one round of checks.
 */
export const chanceOf = ({ evidence }: Deviation, tests: number): number =>
  Math.min(1, tests * Math.exp(-evidence));

/**
 * Continues the tests with the draws since the last check. New tests start at the ISO instant `since`.
 * Returns the deviations with a stake above 1, and the number of tests in this check. All other tests start
 * again in the next check.
 */
export function updateTests(
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
      const updated = updateTest(open.get(nameOf(test)) ?? test, sums);
      tests++;
      if (updated.evidence > 0) open.set(nameOf(test), updated);
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

/**
 * Statistics of all draws from one draw set, for the quantity that a test watches (wins of a prize, or USD).
 * `shares` maps each possible value per draw to its probability. `mean` is the expected value per draw. `won`
 * is the actual total in `draws` draws.
 */
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

function updateTest(test: Deviation, parts: readonly Sums[]): Deviation {
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
 * Calculates a test's bet on the value that it watches: 1 or 0 for a win of its prize or no win, or the USD
 * won. `shares` maps each value to its probability in a draw, and `mean` is their mean. The bet's mean is
 * `factor` times `mean`, but at most halfway from `mean` to the largest or smallest value. The bet multiplies
 * each probability by e^(exponent × value) and divides it by e^logMean, so that the probabilities add up to
 * 1. Returns undefined if there is only one value.
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
// Limits the search for a bet's exponent: for a factor above 1, exponent × largest value is at most
// `steepest`. Such a bet can raise a mean from 10^-20 of the largest value to half of the largest value. For
// a factor below 1, exponent × smallest positive value is at least -`steepest`.
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
