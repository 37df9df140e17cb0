/** What an organization's plays came to, beside what their draws were to give. Pure. */
import type { OutcomeRecord } from '../accounts/records.ts';
import { setOfOutcome } from '../books/check/draws.ts';
import type { DrawSet } from '../games/draw.ts';
import { oddsOfPlay } from '../games/odds.ts';
import type { Prize } from '../games/prize-tables.ts';
import { type Game, games, type PlayType, playTypes, prizeKinds } from '../vocabulary.ts';
import type { Drawn } from './evidence.ts';
import { cashFields, playsField, winsField } from './figures.ts';

/** The fields of an outcome that are tallied. */
export const talliedFields = [
  'game',
  'play_type',
  'prize_id',
  'prize_table_version',
  'budgets',
  'debug',
] as const satisfies (keyof OutcomeRecord)[];
export type Tallied = Pick<OutcomeRecord, (typeof talliedFields)[number]>;

/** What has been counted, by the set of prizes that each draw was made from. */
export type Tally = {
  drawn: Map<DrawSet, Drawn>;
  plays: Record<Game, Record<PlayType, number>>;
  /** Outcomes with a prize that was not in their draw. */
  strays: number;
  /** Sets that were met before. */
  sets: Map<string, DrawSet | undefined>;
};

export const newTally = (): Tally => ({
  drawn: new Map(),
  plays: eachOf(games, () => eachOf(playTypes, () => 0)),
  strays: 0,
  sets: new Map(),
});

const eachOf = <Name extends string, T>(names: readonly Name[], make: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;

/**
 * Counts an outcome, which was drawn from a table with these prizes. Debug plays have odds of their own, and
 * are left out.
 */
export function addOutcome(tally: Tally, outcome: Tallied, prizes: readonly Prize[]): void {
  if (outcome.debug) return;
  const { game } = outcome;
  const set = setOfOutcome(tally, outcome, prizes);
  const index = set?.prizes.findIndex(({ id }) => id === outcome.prize_id) ?? -1;
  tally.plays[game][outcome.play_type]++;
  if (!set || index < 0) {
    tally.strays++;
    return;
  }
  const drawn = tally.drawn.get(set) ?? { game, set, counts: set.prizes.map(() => 0) };
  tally.drawn.set(set, drawn);
  drawn.counts[index]!++;
}

/** The figures of a tally as fields of a line of the log: plays by game and type, wins by kind, and cash in USD. */
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
