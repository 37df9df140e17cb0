/** Checks budgets (cash and stock). Users share budgets, so the checks need the outcomes of all users. */
import {
  type BudgetState,
  type Counts,
  countOf,
  isStocked,
  noGrants,
  onDay,
  outOfStock,
  usd,
  withGrant,
} from '../../games/budgets.ts';
import { cashChainOf } from '../../games/cash-limit.ts';
import type { Prize } from '../../games/prize-tables.ts';
import { dayOf } from '../../time.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { Finding, Report } from './findings.ts';
import { beginningOf, settingsAt, type Timeline, toleranceMs } from './in-force.ts';

type Place = Omit<Finding, 'sentence'>;
/** The state of a budget at an outcome's draw, as stated in the outcome's record. */
type SeenState = Pick<BudgetState, 'grants' | 'day' | 'granted' | 'grantedOnDay'> & {
  /** The version of the outcome's prize table. */
  version: string;
  /** The prizes that had no stock left. Set only for the budget of a game's stock. */
  out?: readonly string[];
  at: number;
  place: Place;
};
/** A budget state that one or more draws used. The draws' times range from `at` to `last`. */
type View = SeenState & { last: number };
/** A win counted in a budget. `counted` is the prize's id, or `usd` for cash. Only cash has a `limit`. */
type Grant = SeenState & { counted: string; amount: number; limit?: number };
/** The states and wins of one budget. `day` and the day's highest `limit` are set only for cash. */
type BudgetFacts = { day?: string; limit?: number; views: Map<string, View>; grants: Grant[] };
/** The facts of each budget by name, such as `stock of truck` or `cash of 2026-11-22, 3 of 16`. */
export type BudgetsFacts = Map<string, BudgetFacts>;

/** Returns the day whose budgets an outcome counts against. `at` is the time of the outcome. */
export const budgetDay = ({ budgets }: OutcomeLeaf, at: number): string => budgets?.day ?? dayOf(at);

/** Adds the budget states and the win of a draw to `all`. */
export function recordBudgets(
  all: BudgetsFacts,
  leaf: OutcomeLeaf,
  { at, place, timeline }: { at: number; place: Place; timeline: Timeline },
): void {
  const { budgets, prize_id: id, prize_table_version: version } = leaf;
  if (!budgets) return;
  const { cash, stock } = budgets;
  const day = budgetDay(leaf, at);
  // `cash_chains` changes only at midnight, so the day's draws use the setting of the day's beginning.
  const cashChains = settingsAt(timeline, beginningOf(day)).cash_chains;
  const seen = { day, version, at, place, grantedOnDay: {} };
  const facts = factsOf(all, cashChainKey(day, leaf.user_id, cashChains), day);
  facts.limit = Math.max(facts.limit ?? 0, cash.limit);
  const ofCash = { ...seen, grants: cash.grants, granted: { [usd]: cash.granted } };
  recordView(facts, `${cash.grants}/${cash.granted}`, ofCash);
  const amount = leaf.prize.cash_usd;
  if (amount) facts.grants.push({ ...ofCash, counted: usd, amount, limit: cash.limit });
  if (!stock) return;
  const ofGame = factsOf(all, `stock of ${leaf.game}`);
  const { grants, number, number_of_day = 1, out = [] } = stock;
  const numbered = number !== undefined && {
    granted: { [id]: number - 1 },
    grantedOnDay: { [id]: number_of_day - 1 },
  };
  const ofStock = { ...seen, granted: {}, ...numbered, grants, out };
  recordView(ofGame, [grants, day, version, out, numbered && [id, number, number_of_day]].join('/'), ofStock);
  if (numbered) ofGame.grants.push({ ...ofStock, counted: id, amount: 1 });
}

const cashChainKey = (day: string, userId: string, cashChains: number) =>
  cashChains === 1
    ? `cash of ${day}`
    : `cash of ${day}, ${cashChainOf(userId, cashChains) + 1} of ${cashChains}`;

function factsOf(all: BudgetsFacts, name: string, day?: string): BudgetFacts {
  const facts = all.get(name) ?? { ...(day === undefined ? {} : { day }), views: new Map(), grants: [] };
  all.set(name, facts);
  return facts;
}

function recordView({ views }: BudgetFacts, key: string, seen: SeenState) {
  const view = views.get(key);
  if (!view) views.set(key, { ...seen, last: seen.at });
  else view.last = Math.max(view.last, seen.at);
}

/** Adds the budget facts of one worker's users (`from`) to the facts of all users. */
export function addBudgets(to: BudgetsFacts, from: BudgetsFacts): void {
  for (const [name, { day, limit = 0, views, grants }] of from) {
    const facts = factsOf(to, name, day);
    if (day !== undefined) facts.limit = Math.max(facts.limit ?? 0, limit);
    for (const grant of grants) facts.grants.push(grant);
    for (const [key, view] of views) {
      const existing = facts.views.get(key);
      const first = existing && existing.at <= view.at ? existing : view;
      facts.views.set(key, { ...first, last: Math.max(view.last, existing?.last ?? view.last) });
    }
  }
}

/**
 * A budget's totals in the given books. `granted` has the sum for each prize, or for `usd`; `grants` is the number of
 * wins.
 */
export type BudgetSum = { budget: string; limit?: number; granted: Counts; grants: number };

export type BudgetCheck = {
  /** The prizes of each prize table, by the table's version. */
  tables: Readonly<Record<string, readonly Prize[]>>;
  /** Whether the given books contain all grants of the budget. If so, the budget begins without wins. */
  whole: boolean;
  /** Returns whether a day's book was given. */
  isGiven: (day: string) => boolean;
  /** The end of the last given day (epoch milliseconds), or infinite if the next day's book was given too. */
  until: number;
  report: (place: Place) => Report;
};

/**
 * A budget's state from the time `at` (epoch milliseconds). If not `complete`, wins of a prize that is absent from
 * `granted` are unknown.
 */
type State = BudgetState & { at: number; complete: boolean; completeOnDay: boolean };

/** Checks the wins of a budget and the budget states that draws used. Returns the budget's totals. */
export function checkBudget(budget: string, facts: BudgetFacts, check: BudgetCheck): BudgetSum {
  const states = statesOf(facts, check);
  for (const view of facts.views.values()) checkView(budget, view, states, check);
  checkUnreached(budget, facts, states, check);
  if (!check.whole) checkUsedUp(budget, facts, check);
  const { limit, grants } = facts;
  const sums = grants.reduce((state, { counted, amount }) => withGrant(state, counted, amount), noGrants);
  return { budget, ...(limit === undefined ? {} : { limit }), granted: sums.granted, grants: grants.length };
}

/** Returns a budget's states by number of grants. States after a missing grant may be absent. */
function statesOf({ views, grants }: BudgetFacts, check: BudgetCheck): Map<number, State> {
  const inOrder = grants.toSorted((a, b) => a.grants - b.grants || a.at - b.at);
  const states = new Map<number, State>();
  const isBefore = (a: View, b: View) => a.grants < b.grants || (a.grants === b.grants && a.day < b.day);
  const first = [...views.values()].reduce((a, b) => (isBefore(b, a) ? b : a));
  if (check.whole) states.set(0, presumed([], '', true));
  else {
    const state = presumed(inOrder, first.day, false);
    // A draw just after midnight can count for the day before, whose earlier wins are unknown without its book.
    const ofDay = check.isGiven(first.day) ? { grantedOnDay: {} } : { completeOnDay: false };
    states.set(first.grants, { ...state, ...ofDay });
  }
  for (const grant of inOrder) {
    if (states.has(grant.grants + 1)) {
      const sentence = `An earlier win already used state ${grant.grants}.`;
      check.report(grant.place).finding('budget_chain_broken', sentence);
      continue;
    }
    // If the previous grant is missing, starts from the counts in this grant's record. `checkView` reports the gap.
    const before = states.get(grant.grants) ?? {
      ...presumed([grant], grant.day, false),
      completeOnDay: false,
    };
    states.set(grant.grants + 1, after(before, grant, check));
  }
  return states;
}

/** Returns the budget state before the given grants. Takes a prize's counts from the prize's first grant. */
function presumed(grants: readonly Grant[], day: string, complete: boolean): State {
  const [granted, grantedOnDay]: [Record<string, number>, Record<string, number>] = [{}, {}];
  for (const grant of grants.toReversed()) {
    Object.assign(granted, grant.granted);
    if (grant.day === day) Object.assign(grantedOnDay, grant.grantedOnDay);
  }
  const at = Number.NEGATIVE_INFINITY;
  return { ...noGrants, day, granted, grantedOnDay, at, complete, completeOnDay: true };
}

const stateOn = (state: State, day: string): State => ({
  ...onDay(state, day),
  completeOnDay: state.completeOnDay || day > state.day,
});

const sumIn = (counts: Counts, counted: string, isComplete: boolean): number | undefined =>
  Object.hasOwn(counts, counted) ? counts[counted] : isComplete ? 0 : undefined;

/** Returns the budget state after a grant. Reports a grant that exceeds the budget's total or daily limit. */
function after(before: State, grant: Grant, { tables, report }: BudgetCheck): State {
  const { counted, amount, at } = grant;
  const today = stateOn(before, grant.day);
  const granted = sumIn(today.granted, counted, today.complete) ?? grant.granted[counted]!;
  const grantedOnDay =
    sumIn(today.grantedOnDay, counted, today.completeOnDay) ?? grant.grantedOnDay[counted] ?? 0;
  const prize = tables[grant.version]?.find(({ id }) => id === counted);
  const { limit = prize?.stock ?? Infinity } = grant;
  const limitOnDay = prize?.stock_per_day ?? Infinity;
  if (granted + amount > limit || grantedOnDay + amount > limitOnDay) {
    const limitText = granted + amount > limit ? limit : `${limitOnDay} a day`;
    report(grant.place).finding(
      'budget_exceeded',
      `The draw won ${inWords(amount, counted)} when ${granted} had been won; the limit is ${limitText}.`,
    );
  }
  const state = {
    ...today,
    // Takes the later time. Otherwise, each win in a chain could be a minute earlier than the win before it.
    at: Math.max(before.at, at),
    granted: { ...today.granted, [counted]: granted },
    grantedOnDay: { ...today.grantedOnDay, [counted]: grantedOnDay },
  };
  return withGrant(state, counted, amount);
}

const inWords = (amount: number, counted: string) =>
  counted === usd ? `${amount} USD` : `${amount} of “${counted}”`;

function checkView(budget: string, view: View, states: Map<number, State>, check: BudgetCheck) {
  const { tables, until } = check;
  const state = states.get(view.grants);
  const drawText = `The draw used state ${view.grants} of the ${budget}`;
  const report = check.report(view.place);
  if (!state) {
    // A draw just before the end of the given days can depend on wins in the next day's book.
    if (view.at > until - toleranceMs)
      report.notice('budget_unknown', `${drawText}, which the given books do not cover.`);
    else report.finding('budget_chain_broken', `${drawText}, but no win led to that state.`);
  } else {
    const differing = differences(view, stateOn(state, view.day), tables[view.version] ?? []);
    if (differing.length > 0) {
      report.finding('budget_view_differs', `${drawText} with wrong values: ${differing.join(', ')}.`);
    } else if (state.at > view.at + toleranceMs) {
      report.finding('budget_view_from_the_future', `${drawText}, which began only later.`);
    }
  }
  const next = states.get(view.grants + 1);
  if (next && next.at < view.last - toleranceMs) {
    report.finding('budget_view_stale', `${drawText} more than a minute after the next win.`);
  }
}

/**
 * Reports draws in the last minute of the given days whose state no given win led to, if the state has less than
 * earlier wins add up to. Without the next day's book, nothing else is known of such a state.
 */
function checkUnreached(
  budget: string,
  { views, grants }: BudgetFacts,
  states: ReadonlyMap<number, State>,
  { until, report }: BudgetCheck,
) {
  const byNumber = (a: SeenState, b: SeenState) => a.grants - b.grants;
  const unreached = [...views.values()]
    .filter((view) => !states.has(view.grants) && view.at > until - toleranceMs)
    .toSorted(byNumber);
  if (unreached.length === 0) return;
  const inOrder = grants.toSorted(byNumber);
  const won: Record<string, number> = {};
  let added = 0;
  for (const view of unreached) {
    for (; added < inOrder.length && inOrder[added]!.grants < view.grants; added++) {
      const { counted, granted, amount } = inOrder[added]!;
      won[counted] = Math.max(countOf(won, counted), countOf(granted, counted) + amount);
    }
    for (const [counted, sum] of Object.entries(view.granted)) {
      if (sum >= countOf(won, counted)) continue;
      const sentence = `The draw used state ${view.grants} of the ${budget} with ${inWords(sum, counted)} won, fewer than before.`;
      report(view.place).finding('budget_view_differs', sentence);
    }
  }
}

/**
 * Reports draws with a prize available that another draw, after as many or fewer wins, found used up. Compares only
 * draws, so it needs no books with earlier wins.
 */
function checkUsedUp(budget: string, { views }: BudgetFacts, { tables, report }: BudgetCheck) {
  const usedUpFrom = new Map<string, number>();
  // A prize with a stock per day can become available again, so only draws from the same state are compared.
  const keyOf = ({ version, day, grants }: View, { id, stock_per_day }: Prize) =>
    [version, id, ...(stock_per_day === undefined ? [] : [day, grants])].join(' ');
  const claims = [...views.values()].flatMap((view) =>
    (tables[view.version] ?? []).filter(isStocked).map((prize) => {
      return { view, prize, key: keyOf(view, prize), isOut: view.out?.includes(prize.id) };
    }),
  );
  for (const { view, key, isOut } of claims)
    if (isOut) usedUpFrom.set(key, Math.min(view.grants, usedUpFrom.get(key) ?? Infinity));
  for (const { view, prize, key, isOut } of claims) {
    if (isOut || view.grants < (usedUpFrom.get(key) ?? Infinity)) continue;
    const sentence = `The draw used the ${budget} with “${prize.id}” available, which another draw found used up.`;
    report(view.place).finding('budget_view_differs', sentence);
  }
}

/**
 * Describes how the state in an outcome's record (`view`) differs from the computed state. Skips counts that are
 * unknown.
 */
function differences(view: View, state: State, prizes: readonly Prize[]): string[] {
  const sums = (recorded: Counts, computed: Counts, isComplete: boolean, when: string) =>
    Object.entries(recorded).flatMap(([counted, sum]) => {
      const is = sumIn(computed, counted, isComplete) ?? sum;
      return is === sum ? [] : [`${inWords(sum, counted)} won${when} instead of ${is}`];
    });
  return [
    ...sums(view.granted, state.granted, state.complete, ''),
    ...sums(view.grantedOnDay, state.grantedOnDay, state.completeOnDay, ' that day'),
    ...(view.out ? differencesOut(view.out, state, prizes) : []),
  ];
}

function differencesOut(out: readonly string[], state: State, prizes: readonly Prize[]): string[] {
  const { granted, grantedOnDay, complete, completeOnDay } = state;
  const isUnknown = ({ id, stock, stock_per_day }: Prize) =>
    (stock !== undefined && sumIn(granted, id, complete) === undefined) ||
    (stock_per_day !== undefined && sumIn(grantedOnDay, id, completeOnDay) === undefined);
  const expected = outOfStock(prizes, state);
  const possible = [...expected, ...prizes.filter(isUnknown).map(({ id }) => id)];
  return [
    ...expected.filter((id) => !out.includes(id)).map((id) => `“${id}” available instead of used up`),
    ...out.filter((id) => !possible.includes(id)).map((id) => `“${id}” used up instead of available`),
  ];
}
