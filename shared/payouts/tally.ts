import type { OutcomeRecord } from '../accounts/records.ts';
import type { DrawSet } from '../games/draw.ts';
import { cachedDrawSet } from '../games/draw-sets.ts';
import { meanWinnings } from '../games/odds.ts';
import type { Prize } from '../games/prize-tables.ts';
import { type Game, games, type PlayType, playTypes, prizeKinds } from '../vocabulary.ts';
import { cashFields, playsField, winsField } from './figures.ts';

export const talliedFields = [
  'game',
  'play_type',
  'prize_id',
  'prize_table_version',
  'budgets',
  'debug',
] as const satisfies (keyof OutcomeRecord)[];
export type TalliedOutcome = Pick<OutcomeRecord, (typeof talliedFields)[number]>;

/** Numbers of outcomes: by draw set, in the order of its prizes (`drawn`), and by game and play type (`plays`). */
export type Tally = {
  drawn: Map<DrawSet, number[]>;
  plays: Record<Game, Record<PlayType, number>>;
};

export const newTally = (): Tally => ({
  drawn: new Map(),
  plays: eachOf(games, () => eachOf(playTypes, () => 0)),
});

const eachOf = <Name extends string, T>(names: readonly Name[], make: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;

/** Skips debug plays, because their results are forced. */
export function tallyOutcome(tally: Tally, outcome: TalliedOutcome, prizes: readonly Prize[]): void {
  if (outcome.debug) return;
  tally.plays[outcome.game][outcome.play_type]++;
  const set = cachedDrawSet(prizes, outcome.budgets, outcome.debug);
  const index = set?.prizes.findIndex(({ id }) => id === outcome.prize_id) ?? -1;
  // The nightly check of books reports an outcome whose prize was not in its draw.
  if (!set || index < 0) return;
  const counts = tally.drawn.get(set) ?? set.prizes.map(() => 0);
  tally.drawn.set(set, counts);
  counts[index]!++;
}

/** Cash in USD. `dearest` is the highest cash prize that could be won. */
export type CashTotals = { won: number; expected: number; variance: number; dearest: number };

export function cashTotalsOf({ drawn }: Tally): CashTotals {
  const cash: CashTotals = { won: 0, expected: 0, variance: 0, dearest: 0 };
  for (const [{ prizes }, counts] of drawn) {
    const draws = counts.reduce((sum, count) => sum + count, 0);
    const odds = meanWinnings(prizes);
    cash.expected += draws * odds.cash;
    cash.variance += draws * odds.cashVariance;
    for (const [index, { kind, amount, weight }] of prizes.entries()) {
      if (kind !== 'cash_usd') continue;
      cash.won += counts[index]! * amount;
      if (weight > 0) cash.dearest = Math.max(cash.dearest, amount);
    }
  }
  return cash;
}

/**
 * Returns whether chance does not explain the cash that was won. Without the two highest prizes, which are allowed
 * beside six standard deviations, a single rare win would raise an alarm.
 */
export const isAheadOfOdds = ({ won, expected, variance, dearest }: CashTotals): boolean =>
  won - expected > 6 * Math.sqrt(variance) + 2 * dearest;

/** Returns the log fields of a payout check: plays, wins by kind of prize, and cash in USD. */
export function logFieldsOf({ drawn, plays }: Tally, { won, expected }: CashTotals): Record<string, number> {
  const wins = eachOf(prizeKinds, () => 0);
  for (const [{ prizes }, counts] of drawn)
    for (const [index, { kind }] of prizes.entries()) wins[kind] += counts[index]!;
  return Object.fromEntries([
    ...games.flatMap((game) => playTypes.map((type) => [playsField(game, type), plays[game][type]])),
    ...prizeKinds.map((kind) => [winsField(kind), wins[kind]]),
    [cashFields.won, won],
    [cashFields.expected, Number(expected.toPrecision(6))],
  ]);
}
