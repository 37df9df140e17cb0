/**
 * The check of a day's cash: a chain of states, each win taking it from one to the next, and each outcome drawn on one of
 * them. Outcomes of all users meet here.
 */
import { chainOf } from '../../games/cash-chains.ts';
import { pacedUsd } from '../../games/cash-pace.ts';
import { dayOf } from '../../time.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { Finding, Report } from './findings.ts';
import { toleranceMs } from './in-force.ts';

type Place = Omit<Finding, 'sentence'>;
/** That outcomes were drawn on a state: so many wins before, and their sum. `at` and `last` are the first and last time. */
type View = { sequence: number; sum: number; at: number; last: number; place: Place };
/** `limit` is what was available under it, if the day's cash is paced. */
type Win = { sequence: number; sum: number; amount: number; limit: number; at: number; place: Place };
/** What outcomes say of a day's cash. */
export type CashFacts = {
  views: Map<string, View>;
  wins: Win[];
  limits: Set<number>;
};
const noFacts = (): CashFacts => ({ views: new Map(), wins: [], limits: new Set() });
/** By the day whose cash it is, and the chain if there are several: `2026-11-22`, or `2026-11-22, 3 of 16`. */
export type CashOfDays = Map<string, CashFacts>;

const chainName = (day: string, { cash_chains: chains = 1, user_id }: OutcomeLeaf) =>
  chains === 1 ? day : `${day}, ${chainOf(user_id, chains) + 1} of ${chains}`;
/** The day in the name of a chain. */
export const dayOfChain = (name: string): string => name.split(',', 1)[0]!;

/** Notes the state that an outcome was drawn on, and its win; checks what of it can be seen by itself. */
export function noteCash(
  days: CashOfDays,
  leaf: OutcomeLeaf,
  at: number,
  place: Place,
  report: Report,
): void {
  const { cash_day: day, cash_sequence: sequence = 0, cash_granted_usd: sum = 0 } = leaf;
  if (day === undefined) return;
  const limit = leaf.cash_limit_usd ?? 0;
  const available = leaf.cash_paced_usd ?? limit;
  if (leaf.cash_left_usd !== Math.max(0, available - sum)) {
    report.finding(
      'cash_left_differs',
      `It says ${leaf.cash_left_usd} USD, of ${available} with ${sum} won.`,
    );
  }
  if (leaf.cash_paced_usd !== undefined) checkPace(leaf.cash_paced_usd, limit, day, at, report);
  if (day < dayOf(at - toleranceMs) || day > dayOf(at + toleranceMs)) {
    report.finding('cash_of_another_day', `It is of ${dayOf(at)}, and drawn on the cash of ${day}.`);
  }
  const chain = chainName(day, leaf);
  const facts = days.get(chain) ?? noFacts();
  days.set(chain, facts);
  facts.limits.add(limit);
  const key = `${sequence}/${sum}`;
  const view = facts.views.get(key);
  if (!view) facts.views.set(key, { sequence, sum, at, last: at, place });
  else view.last = Math.max(view.last, at);
  const amount = leaf.debug === 'jackpot' ? undefined : leaf.prize.cash_usd;
  if (amount !== undefined) facts.wins.push({ sequence, sum, amount, limit: available, at, place });
}

/** Checks what of a limit a pace had made available: on that day, and at a time that clocks may differ from. */
function checkPace(paced: number, limit: number, day: string, at: number, report: Report) {
  const times = [at - toleranceMs, at, at + toleranceMs].filter((time) => dayOf(time) === day);
  if (times.some((time) => pacedUsd(limit, time) === paced)) return;
  report.finding('cash_pace_differs', `It says that ${paced} USD of ${limit} were available.`);
}

/** Adds what other outcomes say of the cash of days. */
export function addCash(to: CashOfDays, from: CashOfDays): void {
  for (const [day, { views, wins, limits }] of from) {
    const facts = to.get(day) ?? noFacts();
    to.set(day, facts);
    for (const win of wins) facts.wins.push(win);
    for (const limit of limits) facts.limits.add(limit);
    for (const [key, view] of views) facts.views.set(key, earlier(facts.views.get(key), view));
  }
}

function earlier(one: View | undefined, other: View): View {
  if (!one) return other;
  return { ...(one.at <= other.at ? one : other), last: Math.max(one.last, other.last) };
}

/** A state of a day's cash, and when it came about. */
type State = { sum: number; at: number };
/** What a day's cash, or a chain of it, came to: each limit that it was drawn under, how much was won, and by how many. */
export type CashOfDay = { day: string; limits: number[]; won: number; wins: number };

/** Where a finding about a day's cash is. */
export type CashReport = (place: Place) => Report;

/**
 * Checks the chain of a day's cash. `until` is the end of what the books have of it, in epoch milliseconds, if that is
 * before the day's own end and a minute: wins after it are not known.
 */
export function checkCash(
  day: string,
  { views, wins, limits }: CashFacts,
  until: number,
  report: CashReport,
): CashOfDay {
  const states = statesOf(wins, report);
  for (const { sum, amount, limit, place } of wins) {
    if (sum + amount > limit) {
      report(place).finding('cash_over_limit', `It won ${amount} USD after ${sum}, of ${limit}.`);
    }
  }
  for (const view of views.values()) checkView(view, states, until, report(view.place));
  const won = wins.reduce((sum, { amount }) => sum + amount, 0);
  return { day, limits: [...limits], won, wins: wins.length };
}

/** The states by their number, as the wins lead from one to the next. What is missing is left out. */
function statesOf(wins: Win[], report: CashReport): Map<number, State> {
  const states = new Map<number, State>([[0, { sum: 0, at: Number.NEGATIVE_INFINITY }]]);
  const inOrder = wins.toSorted((a, b) => a.sequence - b.sequence || a.at - b.at);
  for (const { sequence, sum, amount, at, place } of inOrder) {
    if (states.has(sequence + 1)) {
      const sentence = `There was a win on state ${sequence} before.`;
      report(place).finding('cash_chain_broken', sentence);
      continue;
    }
    // That a win is missing is found by whoever was drawn on the state it led to, this win for one.
    const before = states.get(sequence)?.sum ?? sum;
    states.set(sequence + 1, { sum: before + amount, at });
  }
  return states;
}

function checkView(view: View, states: Map<number, State>, until: number, report: Report) {
  const state = states.get(view.sequence);
  const said = `It was drawn on state ${view.sequence} with ${view.sum} USD won`;
  if (!state) {
    if (view.at > until - toleranceMs) report.notice('cash_unknown', `${said}, which was not checked.`);
    else report.finding('cash_chain_broken', `${said}, and no win led to that state.`);
  } else if (view.sum !== state.sum) {
    report.finding('cash_view_differs', `${said}, and it was ${state.sum} USD.`);
  } else if (state.at > view.at + toleranceMs) {
    report.finding('cash_view_from_the_future', `${said}, and that came about later.`);
  }
  const next = states.get(view.sequence + 1);
  if (next && next.at < view.last - toleranceMs) {
    report.finding('cash_view_stale', `${said}, and that had been overtaken.`);
  }
}
