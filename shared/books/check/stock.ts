/**
 * The check of stocks: of each game a chain of states over all days, each win of a prize that has a stock taking it from
 * one to the next, and each outcome drawn on one of them. Outcomes of all users meet here.
 */
import type { Prize } from '../../games/prize-tables.ts';
import { isStocked } from '../../games/stock.ts';
import { dayOf } from '../../time.ts';
import type { Game } from '../../vocabulary.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { Finding, Report } from './findings.ts';
import { toleranceMs } from './in-force.ts';

type Place = Omit<Finding, 'sentence'>;
/** That outcomes were drawn on a state: so many wins before, and these prizes out. `at` and `last` are the first and last time. */
type View = {
  sequence: number;
  day: string;
  version: string;
  out: readonly string[];
  at: number;
  last: number;
  place: Place;
};
/** The win of a prize, by its id, on a state: its number in all and on its day. */
type Win = {
  sequence: number;
  day: string;
  version: string;
  id: string;
  number: number;
  ofDay: number;
  at: number;
  place: Place;
};
/** What outcomes say of the stock of a game. */
export type StockFacts = { views: Map<string, View>; wins: Win[] };
/** By game. */
export type StockOfGames = Map<Game, StockFacts>;

const factsOf = (games: StockOfGames, game: Game): StockFacts => {
  const facts = games.get(game) ?? { views: new Map(), wins: [] };
  games.set(game, facts);
  return facts;
};

/** Notes the state that an outcome was drawn on, and its win; checks what of it can be seen by itself. */
export function noteStock(
  games: StockOfGames,
  leaf: OutcomeLeaf,
  at: number,
  place: Place,
  report: Report,
): void {
  const { stock_day: day, stock_sequence: sequence = 0, stock_out: out = [] } = leaf;
  const { prize_table_version: version, prize_id: id, stock_number: number } = leaf;
  if (day === undefined) return;
  if (day < dayOf(at - toleranceMs) || day > dayOf(at + toleranceMs)) {
    report.finding('stock_of_another_day', `It is of ${dayOf(at)}, and drawn on the stock of ${day}.`);
  }
  const { views, wins } = factsOf(games, leaf.game);
  const key = `${sequence}/${day}/${version}/${out.join()}`;
  const view = views.get(key);
  if (!view) views.set(key, { sequence, day, version, out, at, last: at, place });
  else view.last = Math.max(view.last, at);
  if (number === undefined) return;
  wins.push({ sequence, day, version, id, number, ofDay: leaf.stock_number_of_day ?? 0, at, place });
}

/** Adds what other outcomes say of stocks. */
export function addStock(to: StockOfGames, from: StockOfGames): void {
  for (const [game, { views, wins }] of from) {
    const facts = factsOf(to, game);
    for (const win of wins) facts.wins.push(win);
    for (const [key, view] of views) {
      const known = facts.views.get(key);
      const first = known && known.at <= view.at ? known : view;
      facts.views.set(key, { ...first, last: Math.max(view.last, known?.last ?? view.last) });
    }
  }
}

/** What a stock came to in the given books: how often each prize was won, by its id. */
export type StockOfGame = { game: Game; won: Record<string, number> };

/** What a stock is checked against: the prizes of tables by version; where findings go. */
export type StockCheck = {
  tables: Readonly<Record<string, readonly Prize[]>>;
  /** Whether the books begin with the organization, so that nothing was won before them. */
  whole: boolean;
  /** The end of what the books have, in epoch milliseconds: wins after it are not known. */
  until: number;
  report: (place: Place) => Report;
};

/** How often prizes were won up to a state; `at` is when it came about, `missing` how many wins before it are not there. */
type State = {
  day: string;
  won: Map<string, number>;
  ofDay: Map<string, number>;
  at: number;
  missing: number;
};

/** Checks the chain of a game's stock over days without a gap between them. */
export function checkStock(game: Game, { views, wins }: StockFacts, check: StockCheck): StockOfGame {
  const inOrder = wins.toSorted((a, b) => a.sequence - b.sequence || a.at - b.at);
  const pending = [...views.values()].sort((a, b) => a.sequence - b.sequence || a.at - b.at);
  const state = firstState(inOrder, pending, check);
  let sequence = check.whole ? 0 : (pending[0]?.sequence ?? 0);
  for (const win of inOrder) {
    const report = check.report(win.place);
    if (win.sequence < sequence) {
      report.finding('stock_chain_broken', `There was a win on state ${win.sequence} before.`);
      continue;
    }
    checkViews(pending, sequence, state, check, win);
    // That a win is missing is found by whoever was drawn on the state it led to, this win for one.
    if (win.sequence > sequence) checkViews(pending, win.sequence, undefined, check, win);
    state.missing += win.sequence - sequence;
    checkNumbers(win, state, check);
    sequence = win.sequence + 1;
  }
  checkViews(pending, sequence, state, check);
  checkViews(pending, Number.POSITIVE_INFINITY, undefined, check);
  const won = new Map<string, number>();
  for (const { id } of wins) won.set(id, (won.get(id) ?? 0) + 1);
  return { game, won: Object.fromEntries(won) };
}

/** The state before the first win that is known: of what was won before, as far as the first win of each prize tells. */
function firstState(wins: readonly Win[], views: readonly View[], { whole }: StockCheck): State {
  const won = new Map<string, number>();
  if (!whole) for (const { id, number } of wins.toReversed()) won.set(id, number - 1);
  const day = views[0]?.day ?? '';
  // A day before the first book may have begun to be counted in it.
  const ofDay = new Map<string, number>();
  if (!whole) {
    for (const win of wins.toReversed()) if (win.day === day) ofDay.set(win.id, win.ofDay - 1);
  }
  return { day, won, ofDay, at: Number.NEGATIVE_INFINITY, missing: 0 };
}

/** Checks a win's numbers, and goes on to the state after it. */
function checkNumbers(win: Win, state: State, { tables, whole, report }: StockCheck) {
  const { id, number, ofDay, day, at } = win;
  if (day > state.day) Object.assign(state, { day, ofDay: new Map() });
  // Each of the wins that are missing may have been one of this prize.
  const next = (before: number, said: number) =>
    Math.max(before + 1, Math.min(said, before + 1 + state.missing));
  const must = next(state.won.get(id) ?? (whole ? 0 : number - 1), number);
  const mustOfDay = next(state.ofDay.get(id) ?? 0, ofDay);
  const prize = tables[win.version]?.find((prize) => prize.id === id);
  const { stock = Infinity, stock_per_day = Infinity } = prize ?? {};
  const said = `It is win ${number} of “${id}”, and ${ofDay} of its day`;
  if (Math.max(must, number) > stock || Math.max(mustOfDay, ofDay) > stock_per_day) {
    const most = must > stock || number > stock ? stock : `${stock_per_day} a day`;
    report(win.place).finding('stock_exceeded', `${said}, of ${most}.`);
  } else if (number !== must || ofDay !== mustOfDay) {
    report(win.place).finding('stock_number_differs', `${said}, and must be ${must}, and ${mustOfDay}.`);
  }
  state.won.set(id, must);
  state.ofDay.set(id, mustOfDay);
  state.at = at;
}

/**
 * Checks the views of a state, and takes them off the list; `next` is the win that ended it. Without a state: those of any
 * number below, to which no win has led.
 */
function checkViews(
  pending: View[],
  sequence: number,
  state: State | undefined,
  { tables, whole, until, report }: StockCheck,
  next?: Win,
) {
  while (
    pending.length > 0 &&
    (state ? pending[0]!.sequence === sequence : pending[0]!.sequence <= sequence)
  ) {
    const view = pending.shift()!;
    const said = `It was drawn on state ${view.sequence} of the stock`;
    const at = report(view.place);
    if (!state) {
      if (view.at > until - toleranceMs) at.notice('stock_unknown', `${said}, which was not checked.`);
      else at.finding('stock_chain_broken', `${said}, and no win led to that state.`);
      continue;
    }
    const differing = differences(view, tables[view.version] ?? [], state, whole);
    if (differing.length > 0) at.finding('stock_view_differs', `${said}, with ${differing.join(', ')}.`);
    else if (state.at > view.at + toleranceMs) {
      at.finding('stock_view_from_the_future', `${said}, and that came about later.`);
    }
    if (next && next.sequence === view.sequence && next.at < view.last - toleranceMs) {
      at.finding('stock_view_stale', `${said}, and that had been overtaken.`);
    }
  }
}

/** What of the prizes of a table was out though it was in stock, or in though it was out; of what is known. */
function differences({ out, day }: View, prizes: readonly Prize[], state: State, whole: boolean): string[] {
  const listed = prizes.filter(isStocked);
  const unknown = out.filter((id) => !listed.some((prize) => prize.id === id)).map((id) => `“${id}” out`);
  const differing = listed.flatMap(({ id, stock = Infinity, stock_per_day = Infinity }) => {
    const won = state.won.get(id) ?? (whole ? 0 : undefined);
    if (won === undefined) return [];
    const ofDay = day === state.day ? (state.ofDay.get(id) ?? 0) : 0;
    const isOut = won >= stock || ofDay >= stock_per_day;
    return isOut === out.includes(id) ? [] : [`“${id}” ${isOut ? 'in' : 'out'}`];
  });
  return [...unknown, ...differing];
}
