/** Checks by the numbered grants that the day's cash, stock and users' wins stayed within their limits. */
import type { DrawBudgets } from '../../accounts/records.ts';
import { amountIn, isStocked, noGrants, onDay, outOfStock, usdKey, withGrant } from '../../games/budgets.ts';
import type { Prize } from '../../games/prize-tables.ts';
import { countsAsWin } from '../../games/prizes.ts';
import { addDays, maxClockSkewMs } from '../../time.ts';
import type { PrizeKind } from '../../vocabulary.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { ReportFinding } from './findings.ts';
import type { BookDay, Budget, BudgetGrant, BudgetOnDay, BudgetView, History, UserState } from './state.ts';

function budgetOf({ budgets, firstDay }: History, name: string, isWhole: boolean, day?: string): Budget {
  const known = budgets.get(name);
  if (known) return known;
  const state = { ...noGrants, grants: isWhole ? 0 : -1, isWhole };
  const budget: Budget = { name, ...(day && { day }), firstDay, state, views: new Map(), grants: [] };
  budgets.set(name, budget);
  return budget;
}

export function checkOutcomeLimits(
  day: BookDay,
  user: UserState,
  leaf: OutcomeLeaf,
  at: number,
  report: ReportFinding,
): void {
  const { budgets, prize, prize_id: id } = leaf;
  if (!budgets) return;
  const { cash, promotion, stock, wins, day: ofDay = day.day } = budgets;
  if (ofDay !== day.day && (ofDay !== addDays(day.day, -1) || at - day.start > maxClockSkewMs))
    report('grants_differ', `A draw of ${day.day} counts for ${ofDay}.`);
  checkWins(user, leaf, ofDay, wins, report);
  const place = { day: ofDay, at, report };
  const ofCash = budgetOf(day.history, `cash of ${ofDay}`, ofDay >= day.history.firstDay, ofDay);
  ofCash.limit = Math.max(ofCash.limit ?? 0, cash.limit);
  const isRight = (state: BudgetOnDay) => !state.isWhole || amountIn(state.granted, usdKey) === cash.granted;
  addView(ofCash, `${cash.grants} ${cash.granted}`, { ...place, grants: cash.grants, isRight });
  const won = prize.cash_usd;
  if (won) {
    const isOver = (state: BudgetOnDay) => amountIn(state.granted, usdKey) + won > cash.limit;
    const before = { before: cash.granted, beforeOnDay: cash.granted };
    ofCash.grants.push({ ...place, grants: cash.grants, counted: usdKey, amount: won, ...before, isOver });
  }
  if (promotion) checkPromotion(day.history, promotion, won ?? 0, place);
  if (!stock) return;
  const ofStock = budgetOf(day.history, `stock of ${leaf.game}`, day.history.isWhole);
  const prizes = day.tables[leaf.prize_table_version] ?? [];
  const { grants, out = [], number, number_of_day = 1 } = stock;
  addView(ofStock, `${grants} ${ofDay} ${leaf.prize_table_version} ${out}`, {
    ...place,
    grants,
    isRight: (state) => isSame(out, outOfStock(prizes, state), prizes, state),
  });
  const limits = prizes.find((one) => one.id === id);
  if (limits && isStocked(limits) !== (number !== undefined))
    report('grants_differ', `The record and the table do not agree whether the stock of “${id}” is limited.`);
  if (!limits || number === undefined) return;
  const isOver = () =>
    number > (limits.stock ?? Infinity) || number_of_day > (limits.stock_per_day ?? Infinity);
  const before = { before: number - 1, beforeOnDay: number_of_day - 1 };
  ofStock.grants.push({ ...place, grants, counted: id, amount: 1, ...before, isOver });
}

function checkPromotion(
  history: History,
  { first_day, grants, granted, limit = Infinity }: NonNullable<DrawBudgets['promotion']>,
  won: number,
  place: Pick<BudgetView, 'day' | 'at' | 'report'>,
) {
  const budget = budgetOf(history, 'cash of promotions', history.isWhole);
  const countedIn = (state: BudgetOnDay) => amountIn(state.granted, first_day);
  const isRight = (state: BudgetOnDay) =>
    !(state.isWhole || first_day in state.granted) || countedIn(state) === granted;
  addView(budget, `${grants} ${first_day} ${granted}`, { ...place, grants, isRight });
  if (won === 0) return;
  const isOver = (state: BudgetOnDay) => countedIn(state) + won > limit;
  budget.grants.push({ ...place, grants, counted: first_day, amount: won, before: granted, isOver });
}

/** Compares prizes out of stock, except those whose wins are not all known. */
const isSame = (found: string[], expected: string[], prizes: readonly Prize[], state: BudgetOnDay) =>
  prizes.every(({ id, stock }) => {
    const isKnown = state.isWhole || (state.isDayWhole && stock === undefined);
    return !isKnown || found.includes(id) === expected.includes(id);
  });

function addView({ views }: Budget, key: string, view: BudgetView) {
  if (!views.has(key)) views.set(key, view);
}

function checkWins(
  user: UserState,
  { prize }: OutcomeLeaf,
  day: string,
  wins: { granted: number; limit: number } | undefined,
  report: ReportFinding,
) {
  if (!wins) return;
  const before = user.wins && user.wins.day >= day ? user.wins : { day, count: 0 };
  if (user.isWhole && wins.granted !== before.count)
    report('grants_differ', `The draw counts ${wins.granted} wins of the user; there were ${before.count}.`);
  if (!Object.keys(prize).some((kind) => countsAsWin(kind as PrizeKind))) return;
  if (wins.granted >= wins.limit)
    report('limit_exceeded', `The user won after ${wins.granted} wins of ${wins.limit}.`);
  user.wins = { day: before.day, count: wins.granted + 1 };
}

/**
 * Checks a budget's draws and grants in the order of their numbers. If a number is missing, those of the last minute
 * before `until` wait, because the next book can contain it.
 */
export function settleBudget(budget: Budget, until: number): void {
  const { views, grants, firstDay } = budget;
  const steps = [...views.values(), ...grants].sort(
    (a, b) => a.grants - b.grants || Number('counted' in a) - Number('counted' in b) || a.at - b.at,
  );
  views.clear();
  budget.grants = [];
  for (const step of steps) {
    const { grants: number, report, at, day } = step;
    // The budget's beginning is unknown, so the first number counts as right.
    if (budget.state.grants < 0) budget.state = { ...budget.state, grants: number };
    if (number > budget.state.grants) {
      if (at > until - maxClockSkewMs) {
        if ('counted' in step) budget.grants.push(step);
        else views.set(`waits ${views.size}`, step);
        continue;
      }
      report(
        'grants_differ',
        `The draw counts ${number} wins from the ${budget.name}; the books have ${budget.state.grants}.`,
      );
      if ('counted' in step) budget.state = { ...budget.state, grants: number };
    }
    const { isWhole } = budget.state;
    const state = { ...onDay(budget.state, day), isWhole, isDayWhole: isWhole || day >= firstDay };
    if (!('counted' in step)) {
      if (number === state.grants && !step.isRight(state))
        report(
          'grants_differ',
          `The draw assumes other wins from the ${budget.name} than there were before it.`,
        );
    } else if (number < state.grants) {
      report('grants_differ', `Two wins from the ${budget.name} have the number ${number}.`);
    } else budget.state = afterGrant(budget, state, step);
  }
}

function afterGrant({ name }: Budget, state: BudgetOnDay, grant: BudgetGrant): BudgetOnDay {
  const { counted, amount, before, beforeOnDay, report, isOver } = grant;
  const isKnown = state.isWhole || counted in state.granted;
  const isRight = !isKnown || amountIn(state.granted, counted) === before;
  const onDay = amountIn(state.grantedOnDay, counted);
  if (!isRight || (state.isDayWhole && (beforeOnDay ?? onDay) !== onDay))
    report('grants_differ', `The win counts ${before} of “${counted}” before it from the ${name}.`);
  if (isOver(state)) report('limit_exceeded', `The win exceeds the limit of the ${name}.`);
  const known = isKnown ? state : { ...state, granted: { ...state.granted, [counted]: before } };
  return { ...known, ...withGrant(known, counted, amount) };
}
