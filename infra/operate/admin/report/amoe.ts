/** What free spins won beside regular plays: whether the alternative method of entry has the same chances. Pure. */
import type { OutcomeRecord } from '../../../../shared/accounts/records.ts';
import { testEquality, upperTail } from '../../../../shared/books/check/chi-square.ts';
import type { DrawSet } from '../../../../shared/games/draw.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import { type Game, type PlayType, playTypes } from '../../../../shared/vocabulary.ts';
import type { Row } from './csv.ts';

/** How often regular plays and free spins came to each of the prizes that were in a draw. */
type Drawn = {
  game: Game;
  table: string;
  set: string;
  prizes: readonly Prize[];
  counts: Record<PlayType, number[]>;
};
/** By prize table and set: draws from other prizes, or with others out for lack of cash, cannot be compared. */
export type DrawnSets = Map<string, Drawn>;

/** The columns of the rows of prizes; `chance` is what the table says, the rates are what was drawn. */
export const amoeColumns = [
  'game',
  'table',
  'set',
  'prize_id',
  'prize',
  'amount',
  'chance',
  ...playTypes.flatMap((type) => [`${type}_draws`, `${type}_rate`]),
  'p',
];

/** Counts an outcome that was drawn from a set. Returns whether its prize is one of the set. */
export function addDraw(sets: DrawnSets, outcome: OutcomeRecord, { digest, prizes }: DrawSet): boolean {
  const { game, play_type, prize_id, prize_table_version: table } = outcome;
  const key = `${table}|${digest}`;
  const nothing = () => prizes.map(() => 0);
  const drawn = sets.get(key) ?? {
    game,
    table,
    set: digest.slice(0, shownDigits),
    prizes,
    counts: { regular: nothing(), amoe: nothing() },
  };
  sets.set(key, drawn);
  const index = prizes.findIndex(({ id }) => id === prize_id);
  if (index >= 0) drawn.counts[play_type][index]!++;
  return index >= 0;
}
const shownDigits = 12;

/**
 * Tests of whether both kinds of play are spread alike over the prizes, by set and in all: chi-square of two samples,
 * pooled where too few are to be expected, and over independent sets the sum of their statistics.
 */
export function comparisons(sets: DrawnSets) {
  const compared = [...sets.values()].map((drawn) => {
    const { regular, amoe } = drawn.counts;
    return {
      drawn,
      draws: { regular: total(regular), amoe: total(amoe) },
      test: testEquality(regular, amoe),
    };
  });
  const tests = compared.flatMap(({ test }) => test ?? []);
  const statistic = total(tests.map(({ statistic }) => statistic));
  const freedom = total(tests.map(({ freedom }) => freedom));
  const all =
    tests.length > 0 ? { statistic, freedom, probability: upperTail(statistic, freedom) } : undefined;
  return {
    in_all: said(all),
    sets: compared.map(({ drawn: { game, table, set }, draws, test }) => ({
      game,
      table,
      set,
      regular_draws: draws.regular,
      amoe_draws: draws.amoe,
      ...said(test),
    })),
  };
}

type Test = ReturnType<typeof testEquality>;
const said = (test: Test) => ({
  ...(test
    ? { chi_square: rounded(test.statistic), freedom: test.freedom, p: rounded(test.probability) }
    : {}),
  sentence: sentenceOf(test),
});

// A report has several sets, and is asked for often: one in a hundred would be a false alarm every few weeks.
const notByChance = 0.001;

function sentenceOf(test: Test): string {
  if (!test) return 'There are too few draws of both kinds to compare them.';
  const chance = `by chance alone they would differ as much or more with a probability of ${rounded(test.probability)}.`;
  return test.probability < notByChance
    ? `Free spins and regular plays do not win alike: ${chance}`
    : `Free spins and regular plays win alike, as far as these draws tell: ${chance}`;
}

/** A row for each prize of each set, in the order of the draw. */
export function amoeRows(sets: DrawnSets): Row[] {
  return [...sets.values()].flatMap(({ game, table, set, prizes, counts }) => {
    const weights = total(prizes.map(({ weight }) => weight));
    const test = testEquality(counts.regular, counts.amoe);
    return prizes.map(({ id, kind, amount, weight }, index) => ({
      game,
      table,
      set,
      prize_id: id,
      prize: kind,
      amount,
      chance: rounded(weight / weights),
      regular_draws: counts.regular[index]!,
      regular_rate: rateOf(counts.regular, index),
      amoe_draws: counts.amoe[index]!,
      amoe_rate: rateOf(counts.amoe, index),
      p: test ? rounded(test.probability) : null,
    }));
  });
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const rateOf = (counts: readonly number[], index: number) =>
  total(counts) === 0 ? null : rounded(counts[index]! / total(counts));
const rounded = (number: number) => Number(number.toPrecision(4));
