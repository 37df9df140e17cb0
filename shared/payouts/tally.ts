/** Counts an organization's outcomes by draw set, the set of prizes that an outcome was drawn from. Pure functions. */
import type { OutcomeRecord } from '../accounts/records.ts';
import type { DrawSet } from '../games/draw.ts';
import { drawSetFor } from '../games/draw-sets.ts';
import { oddsOfPlay } from '../games/odds.ts';
import type { Prize } from '../games/prize-tables.ts';
import { type Game, games, type PlayType, playTypes, prizeKinds } from '../vocabulary.ts';
import type { Drawn } from './evidence.ts';
import { cashFields, playsField, winsField } from './figures.ts';

/** Fields of an outcome's record that a check reads from the index `byTime` to count the outcome. */
export const talliedFields = [
  'game',
  'play_type',
  'prize_id',
  'prize_table_version',
  'budgets',
  'debug',
] as const satisfies (keyof OutcomeRecord)[];
export type Tallied = Pick<OutcomeRecord, (typeof talliedFields)[number]>;

/** Numbers of outcomes, by draw set (`drawn`) and by game and play type (`plays`). */
export type Tally = {
  drawn: Map<DrawSet, Drawn>;
  plays: Record<Game, Record<PlayType, number>>;
  /** Number of outcomes whose prize was not in the draw. Above 0 only if a record or the code is wrong. */
  outsideDraw: number;
};

export const newTally = (): Tally => ({
  drawn: new Map(),
  plays: eachOf(games, () => eachOf(playTypes, () => 0)),
  outsideDraw: 0,
});

const eachOf = <Name extends string, T>(names: readonly Name[], make: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;

/** Adds an outcome to the tally. Skips debug plays, because their results are forced. */
export function addOutcome(tally: Tally, outcome: Tallied, prizes: readonly Prize[]): void {
  if (outcome.debug) return;
  const { game } = outcome;
  const set = drawSetFor(prizes, outcome.budgets, outcome.debug);
  const index = set?.prizes.findIndex(({ id }) => id === outcome.prize_id) ?? -1;
  tally.plays[game][outcome.play_type]++;
  if (!set || index < 0) {
    tally.outsideDraw++;
    return;
  }
  const drawn = tally.drawn.get(set) ?? { game, set, counts: set.prizes.map(() => 0) };
  tally.drawn.set(set, drawn);
  drawn.counts[index]!++;
}

/** Returns the log fields of a payout check: plays, wins by kind of prize, and cash in USD. */
export function figuresOf({ drawn, plays }: Tally): Record<string, number> {
  const wins = eachOf(prizeKinds, () => 0);
  let [cash, expected] = [0, 0];
  for (const { set, counts } of drawn.values()) {
    for (const [index, { kind, amount }] of set.prizes.entries()) {
      wins[kind] += counts[index]!;
      if (kind === 'cash_usd') cash += counts[index]! * amount;
    }
    expected += oddsOfPlay(set.prizes).cash * counts.reduce((sum, count) => sum + count, 0);
  }
  return Object.fromEntries([
    ...games.flatMap((game) => playTypes.map((type) => [playsField(game, type), plays[game][type]])),
    ...prizeKinds.map((kind) => [winsField(kind), wins[kind]]),
    [cashFields.won, cash],
    [cashFields.expected, Number(expected.toPrecision(6))],
  ]);
}
