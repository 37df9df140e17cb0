/** Compares a game before and after a change of its prizes or cost. Pure functions. */
import { hasStock, isStocked } from '../../../shared/games/budgets.ts';
import { type DayOdds, oddsOfDay, oddsOfPlay } from '../../../shared/games/odds.ts';
import type { Prize, PrizeTable } from '../../../shared/games/prize-tables.ts';

/** A game's cost in tickets and its prize table. */
type GameRules = { cost: number; table: PrizeTable };
/** The day's cash limit, and the number of plays to expect on a day. */
type CashRules = { limitUsd: number; playsADay: number };

type BeforeAfter<T> = { before: T | null; after: T | null };
type Figures = Record<string, number | string>;

/** Compares two versions of a game. */
export function compareGames(before: GameRules, after: GameRules, cash: CashRules) {
  const [oldPrizes, newPrizes] = [before.table.prizes, after.table.prizes];
  const days = { before: oddsOfDay(oldPrizes, cash.limitUsd), after: oddsOfDay(newPrizes, cash.limitUsd) };
  return {
    changes: {
      ...differences(
        { cost: before.cost, version: before.table.version },
        { cost: after.cost, version: after.table.version },
      ),
      prizes: comparePrizes(oldPrizes, newPrizes),
    },
    chances_percent: sideBySide(chancesOf(oldPrizes), chancesOf(newPrizes)),
    play: sideBySide(playFigures(oldPrizes), playFigures(newPrizes)),
    kinds_percent: sideBySide(kindsOf(oldPrizes), kindsOf(newPrizes)),
    day: {
      limit_usd: cash.limitUsd,
      plays_yesterday: cash.playsADay,
      ...sideBySide(dayFigures(oldPrizes, days.before, cash), dayFigures(newPrizes, days.after, cash)),
      stages: { before: phasesOf(oldPrizes, days.before), after: phasesOf(newPrizes, days.after) },
    },
    ...(hasStock([...oldPrizes, ...newPrizes])
      ? { once_stock_is_won: onceStockIsWon(oldPrizes, newPrizes, cash) }
      : {}),
  };
}

function onceStockIsWon(before: readonly Prize[], after: readonly Prize[], cash: CashRules) {
  const [oldPrizes, newPrizes] = [before, after].map((prizes) =>
    prizes.filter((prize) => !isStocked(prize)),
  ) as [Prize[], Prize[]];
  const dayOf = (prizes: Prize[]) => dayFigures(prizes, oddsOfDay(prizes, cash.limitUsd), cash);
  return {
    play: sideBySide(playFigures(oldPrizes), playFigures(newPrizes)),
    day: sideBySide(dayOf(oldPrizes), dayOf(newPrizes)),
  };
}

/** Rounds to six significant digits. Fixed decimals would show a chance of one in millions as 0. */
export const rounded = (figure: number): number => Number(figure.toPrecision(6));

function sideBySide(before: Figures, after: Figures): Record<string, BeforeAfter<number | string>> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  );
}

const differences = (before: Figures, after: Figures) =>
  Object.fromEntries(
    Object.entries(sideBySide(before, after)).filter(([, { before, after }]) => before !== after),
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

function chancesOf(prizes: readonly Prize[]): Figures {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  return Object.fromEntries(prizes.map(({ id, weight }) => [id, rounded((100 * weight) / total)]));
}

/** Returns the average result of a play whose draw includes all of `prizes`. */
export function playFigures(prizes: readonly Prize[]) {
  const { cash, cashVariance, value, tickets } = oddsOfPlay(prizes);
  return {
    cash_usd: rounded(cash),
    cash_variance: rounded(cashVariance),
    value_usd: rounded(value),
    tickets: rounded(tickets),
  };
}

const kindsOf = (prizes: readonly Prize[]): Figures =>
  Object.fromEntries(
    Object.entries(oddsOfPlay(prizes).kinds).map(([kind, share]) => [kind, rounded(100 * share)]),
  );

/** Returns how long a day's cash lasts, in plays and in hours at yesterday's rate of plays. */
function dayFigures(prizes: readonly Prize[], day: DayOdds | undefined, cash: CashRules): Figures {
  if (!day) return {};
  const { limitUsd, playsADay } = cash;
  return {
    plays_at_mean_cash: rounded(limitUsd / oddsOfPlay(prizes).cash),
    plays_until_dearest_is_out: rounded(day.playsUntilDearestIsOut),
    plays_until_tickets_only: rounded(day.playsUntilTicketsOnly),
    ...(playsADay > 0
      ? { hours_at_plays_of_yesterday: rounded((24 * day.playsUntilTicketsOnly) / playsADay) }
      : {}),
    left_over_usd: rounded(day.leftOverUsd),
  };
}

/** Returns the phases of a day. Each phase has less cash left than the one before, so fewer cash prizes can be won. */
function phasesOf(prizes: readonly Prize[], day: DayOdds | undefined) {
  return day?.phases.map((phase) => ({
    from_usd: phase.fromUsd,
    // Null for the last phase, which lasts until the day ends.
    plays: Number.isFinite(phase.plays) ? rounded(phase.plays) : null,
    out: prizes.filter((prize) => !phase.prizes.includes(prize)).map(({ id }) => id),
    ...playFigures(phase.prizes),
    kinds_percent: kindsOf(phase.prizes),
  }));
}
