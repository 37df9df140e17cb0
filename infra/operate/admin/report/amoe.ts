import type { OutcomeRecord } from '../../../../shared/accounts/records.ts';
import type { DrawSet } from '../../../../shared/games/draw.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import { type Game, type PlayType, playTypes } from '../../../../shared/vocabulary.ts';
import type { CsvRow } from './csv.ts';

/** Draws from one set of prizes. `counts` has the number of draws of each prize. */
type SetDraws = {
  game: Game;
  table: string;
  set: string;
  prizes: readonly Prize[];
  counts: Record<PlayType, number[]>;
};
/** Draws by the set of prizes that could be drawn, because chances differ between sets. */
export type DrawsBySet = Map<string, SetDraws>;

/** `chance` is by the weights in the set; `…_rate` is the share of actual draws. */
export const amoeColumns = [
  'game',
  'table',
  'set',
  'prize_id',
  'prize',
  'amount',
  'chance',
  ...playTypes.flatMap((type) => [`${type}_draws`, `${type}_rate`]),
];

export function addDraw(sets: DrawsBySet, outcome: OutcomeRecord, { digest, prizes }: DrawSet): boolean {
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

export const drawTotals = (sets: DrawsBySet) =>
  [...sets.values()].map(({ game, table, set, counts }) => ({
    game,
    table,
    set,
    regular_draws: total(counts.regular),
    amoe_draws: total(counts.amoe),
  }));

export function amoeRows(sets: DrawsBySet): CsvRow[] {
  return [...sets.values()].flatMap(({ game, table, set, prizes, counts }) => {
    const weights = total(prizes.map(({ weight }) => weight));
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
    }));
  });
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const rateOf = (counts: readonly number[], index: number) =>
  total(counts) === 0 ? null : rounded(counts[index]! / total(counts));
const rounded = (number: number) => Number(number.toPrecision(4));
