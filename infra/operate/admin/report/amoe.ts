import type { OutcomeRecord } from '../../../../shared/accounts/records.ts';
import { testEquality, upperTail } from '../../../../shared/chi-square.ts';
import type { DrawSet } from '../../../../shared/games/draw.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import { type Game, type PlayType, playTypes } from '../../../../shared/vocabulary.ts';
import type { Row } from './csv.ts';

/** `counts` has the number of draws of each prize. */
type SetDraws = {
  game: Game;
  table: string;
  set: string;
  prizes: readonly Prize[];
  counts: Record<PlayType, number[]>;
};
/** Chances differ between sets, so each set is tested separately. */
export type DrawnSets = Map<string, SetDraws>;

/** `chance` follows from the weights in the set; `…_rate` is the share of actual draws. */
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

/** Draws from different sets are independent, so their statistics add up. */
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
    in_all: testView(all),
    sets: compared.map(({ drawn: { game, table, set }, draws, test }) => ({
      game,
      table,
      set,
      regular_draws: draws.regular,
      amoe_draws: draws.amoe,
      ...testView(test),
    })),
  };
}

type Test = ReturnType<typeof testEquality>;
const testView = (test: Test) => ({
  ...(test
    ? { chi_square: rounded(test.statistic), freedom: test.freedom, p: rounded(test.probability) }
    : {}),
  sentence: sentenceOf(test),
});

// Below this p-value, the report says that free spins and regular plays win differently. With 0.01, one of 100
// reports on fair draws would say so.
const significanceLevel = 0.001;

function sentenceOf(test: Test): string {
  if (!test) return 'There are too few draws of both kinds to compare them.';
  const chance = `by chance alone they would differ at least this much with a probability of ${rounded(test.probability)}.`;
  return test.probability < significanceLevel
    ? `Free spins and regular plays win differently: ${chance}`
    : `No sign that free spins and regular plays win differently: ${chance}`;
}

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
