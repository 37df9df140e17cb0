/** Rules of what accountants are told: figures that add up to what is stored. */
import type { OperatorCommand, StoredItem } from '../../journal.ts';
import { cashWon, organizationOf } from '../stored.ts';
import { isSame, sortedJson } from '../texts.ts';
import { dayAt } from '../true-time.ts';
import { optionOf } from './set.ts';
import type { EndRule, World } from './world.ts';

type Row = Record<string, string | number>;
/** What a report printed; a rule reads whatever that was. */
type Printed = { rows: Row[]; [name: string]: unknown };
type Figures = (world: World, organizationId: string, command: OperatorCommand) => [unknown, unknown];

const sum = (items: StoredItem[], of: (item: StoredItem) => number) =>
  items.reduce((total, item) => total + of(item), 0);
const figureOf = (printed: Printed, name: string) =>
  printed.rows.filter(({ figure }) => figure === name).reduce((total, { value }) => total + Number(value), 0);

/** What each report says, and the same as it follows from the users, their records, and the items of the days' cash. */
const reports: Record<string, Figures> = {
  liability(world, organizationId, { printed }) {
    const users = world.of('user').filter((user) => organizationOf(user) === organizationId);
    const { rows, agrees } = printed as Printed;
    const said = rows.map(({ account, balance, users }) => ({ account, balance, users }));
    const held = rows.map(({ account }) => {
      const balances = users.map((user) => Number(user.balances[account!] ?? 0));
      const balance = balances.reduce((total, one) => total + one, 0);
      return { account, balance, users: balances.filter((one) => one > 0).length };
    });
    return [
      { said, agrees },
      { said: held, agrees: true },
    ];
  },
  cash(world, organizationId, { printed }) {
    const { rows, sum_usd } = printed as Printed;
    const granted = rows.map(({ day }) =>
      sum(
        world.of('budget').filter(({ pk }) => pk.startsWith(`BUDGET#${organizationId}#cash#${day}#`)),
        ({ granted }) => granted.usd,
      ),
    );
    const won = sum(outcomesOf(world, organizationId), cashWon);
    return [
      { days: rows.map(({ sum_usd }) => sum_usd), sum_usd },
      { days: granted, sum_usd: won },
    ];
  },
  amoe: (_, __, { printed }) => [(printed as Printed).unexplained_draws, 0],
  day(world, organizationId, { printed, args }) {
    const day = optionOf(args, 'day');
    const played = outcomesOf(world, organizationId).filter(
      ({ timestamp }) => dayAt(Date.parse(timestamp)) === day,
    );
    const ordinary = played.filter(({ debug }) => !debug);
    const said = printed as Printed;
    return [
      [figureOf(said, 'plays'), figureOf(said, 'test_plays'), figureOf(said, 'outcomes')],
      [ordinary.length, played.length - ordinary.length, ordinary.length],
    ];
  },
};

const outcomesOf = (world: World, organizationId: string) =>
  world
    .of('record')
    .filter((record) => record.kind === 'outcomes' && organizationOf(record) === organizationId);

/** Each report of figures, asked for once nothing changes any more, comes to what is stored, to the cent. */
const figures: EndRule = {
  rule: 'reports add up to the ledger',
  check(world, say) {
    for (const command of world.journal.operatorCommands) {
      const { args, exitCode, printed } = command;
      const figuresOf = args[0] === 'report' ? reports[args[1]!] : undefined;
      if (!figuresOf) continue;
      if (exitCode !== 0) {
        say(`${args.join(' ')}: ${exitCode} ${JSON.stringify(printed)}`);
        continue;
      }
      const [said, stored] = figuresOf(world, optionOf(args, 'org')!, command);
      if (!isSame(said, stored))
        say(`${args.join(' ')} says ${sortedJson(said)}, and stored are ${sortedJson(stored)}`);
    }
  },
};

export const figureRules = [figures];
