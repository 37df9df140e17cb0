/** The rule that the totals in operators' reports equal the totals of the stored data. */
import type { OperatorCommand, StoredItem } from '../../journal.ts';
import { dayAt } from '../days-and-ulids.ts';
import { isSame, sortedJson } from '../hashes.ts';
import { cashWon, organizationOf } from '../item-types.ts';
import type { EndRule, World } from './final-state.ts';
import { optionOf } from './possible-settings.ts';

type Row = Record<string, string | number>;
/** The printed JSON of a report. */
type Printed = { rows: Row[]; [name: string]: unknown };
type Figures = (world: World, organizationId: string, command: OperatorCommand) => [unknown, unknown];

const sum = (items: StoredItem[], of: (item: StoredItem) => number) =>
  items.reduce((total, item) => total + of(item), 0);
const figureOf = (printed: Printed, name: string) =>
  printed.rows.filter(({ figure }) => figure === name).reduce((total, { value }) => total + Number(value), 0);

/**
 * For each report, returns the printed numbers, and the same numbers computed from the stored users, records
 * and budgets.
 */
const reports: Record<string, Figures> = {
  liability(world, organizationId, { printed }) {
    const users = world.of('user').filter((user) => organizationOf(user) === organizationId);
    const { rows, agrees } = printed as Printed;
    const printedTotals = rows.map(({ account, held_by, balance, users }) => ({
      account,
      held_by,
      balance,
      users,
    }));
    const held = rows.map(({ account, held_by }) => {
      const holding = users.filter(({ erased_at }) => (erased_at ? 'erased_users' : 'users') === held_by);
      const balances = holding.map((user) => Number(user.balances[account!] ?? 0));
      const balance = balances.reduce((total, one) => total + one, 0);
      return { account, held_by, balance, users: balances.filter((one) => one > 0).length };
    });
    return [
      { printedTotals, agrees },
      { printedTotals: held, agrees: true },
    ];
  },
  cash(world, organizationId, { printed }) {
    const { rows, sum_usd, won_usd } = printed as Printed;
    const outcomes = outcomesOf(world, organizationId);
    const granted = rows.map(({ day }) =>
      sum(
        world.of('budget').filter(({ pk }) => pk.startsWith(`BUDGET#${organizationId}#cash#${day}#`)),
        ({ granted }) => granted.usd,
      ),
    );
    const wonOn = rows.map(({ day }) =>
      sum(
        outcomes.filter(({ timestamp }) => dayAt(Date.parse(timestamp)) === day),
        cashWon,
      ),
    );
    const won = sum(outcomes, cashWon);
    return [
      { days: rows.map(({ sum_usd, won_usd }) => [sum_usd, won_usd]), sum_usd, won_usd },
      { days: granted.map((sum, at) => [sum, wonOn[at]]), sum_usd: won, won_usd: won },
    ];
  },
  amoe: (_, __, { printed }) => [(printed as Printed).unexplained_draws, 0],
  day(world, organizationId, { printed, args }) {
    const day = optionOf(args, 'day');
    const played = outcomesOf(world, organizationId).filter(
      ({ timestamp }) => dayAt(Date.parse(timestamp)) === day,
    );
    const ordinary = played.filter(({ debug }) => !debug);
    const printedTotals = printed as Printed;
    const spins = spinsOn(world, organizationId, day!);
    const names = Object.keys(spins).map((name) => `free_spins_${name}`);
    return [
      [...['plays', 'test_plays', 'outcomes'], ...names].map((name) => figureOf(printedTotals, name)),
      [ordinary.length, played.length - ordinary.length, ordinary.length, ...Object.values(spins)],
    ];
  },
};

/** Counts a day's free spins. `open` counts spins ordered that day and neither run nor cancelled by midnight. */
function spinsOn(world: World, organizationId: string, day: string) {
  const isOn = (time: string) => dayAt(Date.parse(time)) === day;
  const orders = world
    .of('record')
    .filter((record) => record.kind === 'orders' && organizationOf(record) === organizationId)
    .filter(({ date_created }) => isOn(date_created));
  const ran = outcomesOf(world, organizationId).filter(
    ({ play_type, timestamp }) => play_type === 'amoe' && isOn(timestamp),
  );
  const changes = (action: string) =>
    world
      .of('operation')
      .filter((one) => one.organization_id === organizationId && one.action === action)
      .filter(({ date_created }) => isOn(date_created))
      .flatMap(({ about }) => Object.entries(about.spins as Record<string, number>));
  const [cancelled, restored] = [changes('spins_cancelled'), changes('spins_restored')];
  const ids = new Set(orders.map(({ order_id }) => order_id));
  const all = (of: [string, number][]) => of.reduce((total, [, spins]) => total + spins, 0);
  const ownOf = (of: [string, number][]) => all(of.filter(([order]) => ids.has(order)));
  const ordered = sum(orders, ({ num_of_spins }) => num_of_spins);
  const ownRan = ran.filter(({ order_id }) => ids.has(order_id)).length;
  return {
    ordered,
    run: ran.length,
    cancelled: all(cancelled),
    restored: all(restored),
    open: ordered - ownRan - ownOf(cancelled) + ownOf(restored),
  };
}

const outcomesOf = (world: World, organizationId: string) =>
  world
    .of('record')
    .filter((record) => record.kind === 'outcomes' && organizationOf(record) === organizationId);

const reportTotals: EndRule = {
  rule: 'totals of reports equal the ledger',
  check(world, report) {
    for (const command of world.journal.operatorCommands) {
      const { args, exitCode, printed } = command;
      const statisticsOf = args[0] === 'report' ? reports[args[1]!] : undefined;
      if (!statisticsOf) continue;
      if (exitCode !== 0) {
        report(`${args.join(' ')}: ${exitCode} ${JSON.stringify(printed)}`);
        continue;
      }
      const [printedTotals, stored] = statisticsOf(world, optionOf(args, 'org')!, command);
      if (!isSame(printedTotals, stored))
        report(`${args.join(' ')} prints ${sortedJson(printedTotals)}, but stored is ${sortedJson(stored)}`);
    }
  },
};

export const figureRules = [reportTotals];
