import { oddsOfPlay } from '../../../shared/games/odds.ts';
import type { Prize, PrizeTable } from '../../../shared/games/prize-tables.ts';

type GameRules = { cost: number; table: PrizeTable };
/** The day's cash limit, and the number of plays to expect on a day. */
type CashRules = { limitUsd: number; playsADay: number };

type Figures = Record<string, number | string>;

export const changesOf = (before: GameRules, after: GameRules) => ({
  ...differences(
    { cost: before.cost, version: before.table.version },
    { cost: after.cost, version: after.table.version },
  ),
  prizes: changedPrizes(before.table.prizes, after.table.prizes),
});

/** Fixed decimals would show a chance of one in millions as 0. */
const rounded = (figure: number): number => Number(figure.toPrecision(6));

function differences(before: Figures, after: Figures) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  );
}

function changedPrizes(before: readonly Prize[], after: readonly Prize[]) {
  const ids = (prizes: readonly Prize[], others: readonly Prize[]) =>
    prizes.map(({ id }) => id).filter((id) => others.some((other) => other.id === id));
  const without = (prizes: readonly Prize[], others: readonly Prize[]) =>
    prizes.filter(({ id }) => !others.some((other) => other.id === id));
  return {
    added: without(after, before),
    removed: without(before, after),
    changed: after.flatMap((prize) => {
      const earlier = before.find(({ id }) => id === prize.id);
      const fields = earlier ? differences(fieldsOf(earlier), fieldsOf(prize)) : {};
      return Object.keys(fields).length > 0 ? [{ id: prize.id, ...fields }] : [];
    }),
    // A new order of the prizes is a change, because draws and the prize wheel depend on the order.
    reordered: ids(before, after).join() !== ids(after, before).join(),
  };
}

const fieldsOf = ({ id, label, details, ...figures }: Prize): Figures => ({
  ...(figures as Figures),
  ...wordsOf('label', label),
  ...wordsOf('details', details),
});

const wordsOf = (field: string, words: Prize['label'] = { en: '', es: '' }) =>
  Object.fromEntries(Object.entries(words).map(([lang, text]) => [`${field}.${lang}`, text]));

export function chancesOf(prizes: readonly Prize[]): Record<string, number> {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  return Object.fromEntries(prizes.map(({ id, weight }) => [id, rounded((100 * weight) / total)]));
}

export function playFigures(prizes: readonly Prize[]) {
  const { cash, cashVariance, value, tickets } = oddsOfPlay(prizes);
  return {
    cash_usd: rounded(cash),
    cash_variance: rounded(cashVariance),
    value_usd: rounded(value),
    tickets: rounded(tickets),
  };
}

export function dayFigures(prizes: readonly Prize[], { limitUsd, playsADay }: CashRules) {
  const plays = limitUsd / oddsOfPlay(prizes).cash;
  return {
    limit_usd: limitUsd,
    plays_yesterday: playsADay,
    ...(Number.isFinite(plays) ? { plays_at_mean_cash: rounded(plays) } : {}),
    ...(Number.isFinite(plays) && playsADay > 0
      ? { hours_at_plays_of_yesterday: rounded((24 * plays) / playsADay) }
      : {}),
  };
}
