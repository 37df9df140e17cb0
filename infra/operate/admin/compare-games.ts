/** What a change of a game's prizes or cost would come to, without making it. Pure. */
import { hasStock, isStocked } from '../../../shared/games/budgets.ts';
import { type DayOdds, oddsOfDay, oddsOfPlay } from '../../../shared/games/odds.ts';
import type { Prize, PrizeTable } from '../../../shared/games/prize-tables.ts';

/** A game as it is or would be: its cost in tickets and its table. */
export type GameRules = { cost: number; table: PrizeTable };
/**
 * The limit (whole USD) of a chain of the day's cash, how many chains there are, and how many plays a day has
 * in all.
 */
export type CashRules = { limitUsd: number; chains: number; playsADay: number };

type Beside<T> = { before: T | null; after: T | null };
type Figures = Record<string, number | string>;

/**
 * A game before and after a change: what differs, and the figures of both beside each other, with null for
 * what one of them lacks. Chances are in percent; those of a day are of one chain of its cash. A stock, while
 * it lasts, has its part in all of them; if there is one, `once_stock_is_won` says what a play and a day come
 * to without.
 */
export function compareGames(before: GameRules, after: GameRules, cash: CashRules) {
  const [was, will] = [before.table.prizes, after.table.prizes];
  const days = { before: oddsOfDay(was, cash.limitUsd), after: oddsOfDay(will, cash.limitUsd) };
  return {
    changes: {
      ...differences(
        { cost: before.cost, version: before.table.version },
        { cost: after.cost, version: after.table.version },
      ),
      prizes: comparePrizes(was, will),
    },
    chances_percent: beside(chancesOf(was), chancesOf(will)),
    play: beside(playFigures(was), playFigures(will)),
    kinds_percent: beside(kindsOf(was), kindsOf(will)),
    day: {
      limit_usd: cash.limitUsd,
      chains: cash.chains,
      plays_yesterday: cash.playsADay,
      ...beside(dayFigures(was, days.before, cash), dayFigures(will, days.after, cash)),
      stages: { before: stagesOf(was, days.before), after: stagesOf(will, days.after) },
    },
    ...(hasStock([...was, ...will]) ? { once_stock_is_won: onceStockIsWon(was, will, cash) } : {}),
  };
}

function onceStockIsWon(before: readonly Prize[], after: readonly Prize[], cash: CashRules) {
  const [was, will] = [before, after].map((prizes) => prizes.filter((prize) => !isStocked(prize))) as [
    Prize[],
    Prize[],
  ];
  const dayOf = (prizes: Prize[]) => dayFigures(prizes, oddsOfDay(prizes, cash.limitUsd), cash);
  return { play: beside(playFigures(was), playFigures(will)), day: beside(dayOf(was), dayOf(will)) };
}

/** Shown to six digits: a share of one in millions would be nothing with so many places. */
export const shown = (figure: number): number => Number(figure.toPrecision(6));

function beside(before: Figures, after: Figures): Record<string, Beside<number | string>> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  );
}

const differences = (before: Figures, after: Figures) =>
  Object.fromEntries(
    Object.entries(beside(before, after)).filter(([, { before, after }]) => before !== after),
  );

function comparePrizes(before: readonly Prize[], after: readonly Prize[]) {
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
    // The order of a table is that of its draw and of the wheel.
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

function chancesOf(prizes: readonly Prize[]): Figures {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  return Object.fromEntries(prizes.map(({ id, weight }) => [id, shown((100 * weight) / total)]));
}

/** What a play gives on average, of prizes that are all in the draw. */
export function playFigures(prizes: readonly Prize[]) {
  const { cash, cashVariance, value, tickets } = oddsOfPlay(prizes);
  return {
    cash_usd: shown(cash),
    cash_variance: shown(cashVariance),
    value_usd: shown(value),
    tickets: shown(tickets),
  };
}

const kindsOf = (prizes: readonly Prize[]): Figures =>
  Object.fromEntries(
    Object.entries(oddsOfPlay(prizes).kinds).map(([kind, share]) => [kind, shown(100 * share)]),
  );

/** How many plays, and hours if there are some, a day's cash lasts: nothing for a table without cash prizes. */
function dayFigures(prizes: readonly Prize[], day: DayOdds | undefined, cash: CashRules): Figures {
  if (!day) return {};
  const { limitUsd, chains, playsADay } = cash;
  return {
    plays_at_mean_cash: shown(limitUsd / oddsOfPlay(prizes).cash),
    plays_until_dearest_is_out: shown(day.playsUntilDearestIsOut),
    plays_until_tickets_only: shown(day.playsUntilTicketsOnly),
    ...(playsADay > 0
      ? { hours_at_plays_of_yesterday: shown((24 * day.playsUntilTicketsOnly * chains) / playsADay) }
      : {}),
    left_over_usd: shown(day.leftOverUsd),
  };
}

/** What a play gives while no less than `from_usd` is left, and how many plays that lasts; null: until the day ends. */
function stagesOf(prizes: readonly Prize[], day: DayOdds | undefined) {
  return day?.stages.map((stage) => ({
    from_usd: stage.fromUsd,
    plays: Number.isFinite(stage.plays) ? shown(stage.plays) : null,
    out: prizes.filter((prize) => !stage.prizes.includes(prize)).map(({ id }) => id),
    ...playFigures(stage.prizes),
    kinds_percent: kindsOf(stage.prizes),
  }));
}
