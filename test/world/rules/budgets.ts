/** Rules of budgets: the day's cash, the stock of prizes and users' daily wins. */
import type { Prize } from '../../../shared/games/prize-tables.ts';
import type { StoredItem } from '../journal.ts';
import { dayAt, daysBetween, timeIn, ulidIn } from './days-and-ulids.ts';
import { isSame } from './hashes.ts';
import { cashWon, isWin, organizationOf } from './item-types.ts';
import { trackValues } from './recent-values.ts';
import type { Allowances, StepRule } from './rule.ts';
import {
  availableAt,
  cashShareOf,
  chainOf,
  chainsOn,
  type Organization,
  trackOrganizations,
  trackPrizeTables,
  winLimitOf,
} from './settings.ts';
import { itemOf, outcomesIn, outcomesOf, type Step } from './step.ts';

type Counts = Record<string, number>;
type State = { grants: number; day: string; granted: Counts; granted_on_day: Counts };

const stateIn = (item: StoredItem | undefined, day = ''): State =>
  item
    ? { grants: item.grants, day: item.day, granted: item.granted, granted_on_day: item.granted_on_day }
    : { grants: 0, day, granted: {}, granted_on_day: {} };
const countIn = (counts: Counts, counted: string) => counts[counted] ?? 0;
/** Returns a budget's state on a day. On a new day, `granted_on_day` starts from zero. */
const onDay = (state: State, day: string): State =>
  day > state.day ? { ...state, day, granted_on_day: {} } : state;
const after = ({ grants, day, granted, granted_on_day }: State, counted: string, amount: number): State => ({
  grants: grants + 1,
  day,
  granted: { ...granted, [counted]: countIn(granted, counted) + amount },
  granted_on_day: { ...granted_on_day, [counted]: countIn(granted_on_day, counted) + amount },
});

const isStocked = ({ stock, stock_per_day }: Prize) => stock !== undefined || stock_per_day !== undefined;
/**
 * Returns `prizes`, or undefined if no prize has stock or the outcome is a debug jackpot, which ignores
 * stock.
 */
const stockedTable = (prizes: readonly Prize[] | undefined, { debug }: StoredItem) =>
  debug !== 'jackpot' && prizes?.some(isStocked) ? prizes : undefined;

const stockPk = ({ organization_id, game }: StoredItem) => `BUDGET#${organization_id}#stock#${game}#0`;
const cashPk = ({ organization_id }: StoredItem, day: string) => `BUDGET#${organization_id}#cash#${day}#`;
/** Skips shards 1 to 15 of a stock, because `shard-copies.ts` checks that all shards are equal. */
const changesIn = (step: Step) =>
  step.of('budget').filter((change) => !/#stock#\w+#[1-9]\d*$/.test(itemOf(change).pk));

const timeOf = ({ id }: StoredItem) => timeIn(ulidIn(id));
const budgetDay = (outcome: StoredItem): string => outcome.budgets?.day ?? dayAt(timeOf(outcome));
/** Returns the New York days on which an outcome's request may have arrived. */
const requestDays = (outcome: StoredItem, { clockErrorMs, requestMs }: Allowances) =>
  daysBetween(timeOf(outcome) - requestMs - clockErrorMs, timeOf(outcome));

/** A budget changes only by wins of cash or stocked prizes in the same write, within the budget's limit. */
export const grantsEqualWins: StepRule = {
  rule: 'budgets grant exactly what was won, within their limits',
  start(report, allowances) {
    const { tables, see } = trackPrizeTables();
    const organizations = new Map<string, Organization>();
    return (step) => {
      see(step);
      const changes = changesIn(step);
      const states = new Map(changes.map(({ before, after }) => [after!.pk, stateIn(before)]));
      const grant = (outcome: StoredItem, named: string, counted: string, amount: number) => {
        const pk = [...states.keys()].find((key) => key.startsWith(named));
        if (!pk) return report(`${outcome.id} wins ${amount} ${counted} without a grant`);
        const now = after(onDay(states.get(pk)!, budgetDay(outcome)), counted, amount);
        states.set(pk, now);
        return now;
      };
      for (const { outcome } of outcomesOf(step)) {
        const { id, prize_id, organization_id, game, prize_table_version, budgets } = outcome;
        if (cashWon(outcome) > 0) {
          const day = budgetDay(outcome);
          if (!requestDays(outcome, allowances).includes(day)) report(`${id} wins cash of ${day}`);
          grant(outcome, cashPk(outcome, day), 'usd', cashWon(outcome));
        }
        const prizes = stockedTable(tables(organization_id, game, prize_table_version), outcome);
        const prize = prizes?.find((one) => one.id === prize_id && isStocked(one));
        const now = prize && grant(outcome, stockPk(outcome), prize_id, 1);
        const numbers = now && [now.granted[prize_id], now.granted_on_day[prize_id]];
        if (!isSame(numbers, budgets?.stock?.number && [budgets.stock.number, budgets.stock.number_of_day]))
          report(`${id} has ${JSON.stringify(budgets?.stock)}, but its numbers are ${numbers}`);
        const { stock = Infinity, stock_per_day = Infinity } = prize ?? {};
        if (numbers && (numbers[0]! > stock || numbers[1]! > stock_per_day))
          report(`${id} is beyond the stock with ${numbers}`);
      }
      for (const { before, after } of changes) {
        const { pk, granted } = after!;
        if (!isSame(stateIn(after), states.get(pk))) report(`${pk} has ${JSON.stringify(after)}`);
        const [, organizationId = '', budget, day = '', chain] = pk.split('#');
        if (budget !== 'cash' || countIn(granted, 'usd') === countIn(before?.granted ?? {}, 'usd')) continue;
        const organization = organizations.get(organizationId);
        const share = cashShareOf(organization, day, Number(chain));
        const limit = availableAt(organization, share, day, step.at + allowances.clockErrorMs);
        if (countIn(granted, 'usd') > limit) report(`${pk} grants ${JSON.stringify(granted)} of ${limit}`);
      }
      for (const { after } of step.of('organization'))
        if (after) organizations.set(organizationOf(after), after);
    };
  },
};

/**
 * Compares the budget in an outcome with a state. `isSeen` means equal; `next` is the state after the
 * outcome.
 */
type Draw = (outcome: StoredItem, state: State) => { isSeen: boolean; next: State };

/** Returns whether the outcomes of one write recorded the right states of a budget, starting with `first`. */
function areSeen(outcomes: StoredItem[], first: State, draw: Draw): boolean {
  let state = first;
  return outcomes.every((outcome) => {
    const { isSeen, next } = draw(outcome, state);
    state = next;
    return isSeen;
  });
}

/**
 * Compares an outcome's recorded cash budget with a cash chain's state. `limit` is the available cash in USD.
 */
const onCash =
  (day: string, limit: number): Draw =>
  (outcome, state) => {
    const { budgets } = outcome;
    const is = { grants: state.grants, granted: countIn(state.granted, 'usd'), limit };
    const usd = cashWon(outcome);
    return {
      isSeen: budgetDay(outcome) === day && isSame(budgets?.cash, is),
      next: usd > 0 ? after(state, 'usd', usd) : state,
    };
  };

/** Returns a function that compares the stock recorded in an outcome with a state of the game's stock. */
const onStock =
  (prizes: readonly Prize[]): Draw =>
  ({ budgets, prize_id }, state) => {
    const isOut = ({ id, stock = Infinity, stock_per_day = Infinity }: Prize) =>
      countIn(state.granted, id) >= stock || countIn(state.granted_on_day, id) >= stock_per_day;
    const out = prizes.filter(isOut).map(({ id }) => id);
    const { number, number_of_day, ...says } = budgets?.stock ?? {};
    return {
      isSeen: isSame(says, { grants: state.grants, ...(out.length > 0 ? { out } : {}) }),
      next: number === undefined ? state : after(state, prize_id, 1),
    };
  };

/** An outcome records a state that cash and stock had at some time since the request's arrival. */
export const recordedBudgets: StepRule = {
  rule: 'a draw records the true state of budgets',
  start(report, allowances) {
    const { requestMs } = allowances;
    const { tables, see } = trackPrizeTables();
    const organizations = trackOrganizations(allowances);
    const states = trackValues<StoredItem>(requestMs);
    /**
     * Yields each state of the user's cash chain since the request's arrival, for each possible day and
     * limit.
     */
    function* cashStates(outcome: StoredItem, at: number): Generator<[State, Draw]> {
      const { organization_id, user_id } = outcome;
      const to = timeOf(outcome);
      for (const organization of organizations.recent(organization_id, at)) {
        for (const day of requestDays(outcome, allowances)) {
          const chain = chainOf(user_id, chainsOn(organization, day));
          const share = cashShareOf(organization, day, chain);
          // With pacing, the limit depends on the hour, and the draw may have been in either of two hours.
          const times = [to - requestMs - allowances.clockErrorMs, to];
          const limits = new Set(times.map((time) => availableAt(organization, share, day, time)));
          for (const item of states.since(`${cashPk(outcome, day)}${chain}`, at - requestMs))
            for (const limit of limits) yield [stateIn(item, day), onCash(day, limit)];
        }
      }
    }
    function* stockStates(
      outcome: StoredItem,
      prizes: readonly Prize[],
      at: number,
    ): Generator<[State, Draw]> {
      for (const item of states.since(stockPk(outcome), at - requestMs))
        for (const day of requestDays(outcome, allowances))
          yield [onDay(stateIn(item), day), onStock(prizes)];
    }
    return (step) => {
      see(step);
      for (const { records } of step.users) {
        const outcomes = outcomesIn(records).filter(({ debug }) => debug !== 'jackpot');
        const [first] = outcomes;
        if (!first) continue;
        const { id, organization_id, game, prize_table_version } = first;
        const check = (possible: [State, Draw][]) => {
          if (!possible.some(([state, draw]) => areSeen(outcomes, state, draw)))
            report(
              `${id} has ${JSON.stringify(first.budgets)}, but possible are ${JSON.stringify(possible)}`,
            );
        };
        check([...cashStates(first, step.at)]);
        const prizes = stockedTable(tables(organization_id, game, prize_table_version), first);
        if (prizes) check([...stockStates(first, prizes, step.at)]);
        else if (outcomes.some(({ budgets }) => budgets?.stock))
          report(`${id} has a stock, but its table has none`);
      }
      organizations.see(step);
      for (const { after } of changesIn(step)) if (after) states.set(after.pk, after, step.at);
    };
  },
};

/** Outcomes record the limit on daily wins and the user's earlier wins, which never exceed the limit. */
export const countedWins: StepRule = {
  rule: 'wins are counted by day, within the limit',
  start(report, allowances) {
    const { recent, see } = trackOrganizations(allowances);
    return (step) => {
      for (const { pk, user, records } of step.users) {
        const outcomes = outcomesIn(records).filter(({ debug }) => debug !== 'jackpot');
        let wins = user?.before?.wins;
        for (const outcome of outcomes) {
          const { id, organization_id, budgets } = outcome;
          const limits = recent(organization_id, step.at).map(winLimitOf);
          const { granted, limit } = budgets?.wins ?? {};
          if (!limits.includes(limit)) report(`${id} has the limit ${limit}, not one of ${limits}`);
          if (limit === undefined) continue;
          const days = requestDays(outcome, allowances).map((day) => (wins?.day > day ? wins.day : day));
          const had = days.map((day) => ({ day, count: wins?.day === day ? wins.count : 0 }));
          if (!had.some(({ count }) => count === granted))
            report(`${id} has ${granted} wins, but possible are ${JSON.stringify(had)}`);
          if (!isWin(outcome)) continue;
          if (granted >= limit) report(`${id} is a win beyond the limit, after ${granted}`);
          const day = user?.after?.wins?.day;
          if (!days.includes(day)) report(`${pk} counts a win on ${day}`);
          wins = { day, count: granted + 1 };
        }
        if (user?.after && !isSame(wins, user.after.wins))
          report(`${pk} has ${JSON.stringify(user.after.wins)} wins, not ${JSON.stringify(wins)}`);
      }
      see(step);
    };
  },
};

export const budgetRules = [grantsEqualWins, recordedBudgets, countedWins];
