/** Tests whether wins match the odds, with CUSUM tests (Lorden 1971) for each prize and for all cash. */
import type { DrawSet } from '../games/draw.ts';
import type { Prize } from '../games/prize-tables.ts';
import type { Game } from '../vocabulary.ts';

/** How often each prize of a draw set (the prizes of a draw) was drawn. `counts` is in the order of the prizes. */
export type Drawn = { game: Game; set: DrawSet; counts: number[] };

/** The subject of a statistical test: the wins of one prize in a game, or the USD won in all games. */
type Watched = { game: Game; prize: string } | { prize: typeof allCash };
export const allCash = 'cash_usd in all games';

/**
 * State of a CUSUM test. The test bets a stake on a deviation from the odds. The fields count the draws since the stake
 * was last reset to 1.
 */
export type Deviation = Watched & {
  /** The test bets that `won` is this many times `expected`, the value that the odds promise. */
  factor: number;
  /** ISO instant from which the test counts draws. */
  since: string;
  /** Number of wins of the prize, or USD won in all games, since `since`. */
  won: number;
  expected: number;
  /** Natural logarithm of the stake. Each result that is likelier under the bet than under the odds increases it. */
  evidence: number;
};

/** Values of `factor`, each with its own test. 0.5 detects prizes that are won less often than promised. */
const factors = [0.5, 1.5, 3];

/** With fair draws, at least this many hourly checks pass between two false alarms on average. */
export const checksPerFalseAlarm = 10_000;

/** Returns the evidence that raises an alarm. More tests need more evidence, because each can cause a false alarm. */
const alarmingAt = (tests: number): number => Math.log(checksPerFalseAlarm * tests);

/**
 * Returns an alarm for each prize with enough evidence: its strongest deviation. `open` has the deviations of
 * prizes without an alarm.
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
  // Leaves out all deviations of prizes with an alarm, so that their tests start again.
  const open = clearestFirst.filter((deviation) => !alarms.has(prizeOf(deviation)));
  return { alarms: [...alarms.values()], open };
}

/**
 * Returns an upper bound for a deviation's p-value: the probability that fair draws give one of `tests` tests
 * this much evidence.
 */
export const chanceOf = ({ evidence }: Deviation, tests: number): number =>
  Math.min(1, tests * Math.exp(-evidence));

/**
 * Continues the tests with new draws. New tests start at `since`. Returns the deviations with a stake above 1, and the
 * number of tests.
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
      // Without a stored test, the next check starts again with a stake of 1 (evidence 0).
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

/** Totals of the draws from one draw set. `shares` has the probability of each value: wins or USD per draw. */
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
    // Multiplies the stake by each drawn value's probability under the bet, divided by that under the odds.
    if (tilt) evidence += tilt.exponent * more - draws * tilt.logMean;
  }
  return { ...test, won, expected, evidence };
}

/**
 * Calculates the bet: changed probabilities of the values, with a mean of about `factor` times `mean`. Returns
 * undefined if there is only one value.
 */
function tiltTo(shares: ReadonlyMap<number, number>, mean: number, factor: number) {
  const values = [...shares.keys()];
  const [minValue, maxValue] = [Math.min(...values), Math.max(...values)];
  if (minValue === maxValue) return undefined;
  // The bet's mean goes at most halfway to the largest or smallest value.
  const half = (mean + (factor > 1 ? maxValue : minValue)) / 2;
  const wanted = factor > 1 ? Math.min(factor * mean, half) : Math.max(factor * mean, half);
  const minPositive = Math.min(...values.filter((value) => value > 0));
  let [low, high] = factor > 1 ? [0, steepest / maxValue] : [-steepest / minPositive, 0];
  for (let i = 0; i < halvings; i++) {
    const middle = (low + high) / 2;
    if (tilted(shares, middle).mean < wanted) low = middle;
    else high = middle;
  }
  // The bet multiplies each value's probability by e^(exponent × value) / e^logMean.
  return { exponent: low, logMean: Math.log(tilted(shares, low).weight) };
}
// Limits the search for a bet's exponent. Suffices for odds with means down to 10^-20 of the largest value.
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
