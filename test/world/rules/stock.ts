/** Rules of the stock of prizes. */
import type { Prize } from '../../../shared/games/prize-tables.ts';
import type { StoredItem } from '../journal.ts';
import { rememberValues } from './history-of-values.ts';
import type { StepRule } from './rule.ts';
import { watchPrizeTables } from './settings.ts';
import { itemOf, outcomesIn, outcomesOf, type Step } from './step.ts';
import { isSame } from './texts.ts';
import { daysBetween, timeIn, ulidIn } from './true-time.ts';

/** How a stock stands, as its item says it. */
type Stock = Pick<StoredItem, 'grants' | 'day' | 'won' | 'won_on_day'>;
const stockIn = (item: StoredItem | undefined): Stock =>
  item
    ? { grants: item.grants, day: item.day, won: item.won, won_on_day: item.won_on_day }
    : { grants: 0, day: '', won: {}, won_on_day: {} };
const keyOf = ({ organization_id, game }: StoredItem) => `STOCK#${organization_id}#${game}#0`;
/** Changes of stocks in their first shards: another rule sees to it that all shards say the same. */
const inFirstShard = (step: Step) => step.of('stock').filter((change) => itemOf(change).pk.endsWith('#0'));

const isStocked = ({ stock, stock_per_day }: Prize) => stock !== undefined || stock_per_day !== undefined;
const countIn = (counts: Record<string, number>, id: string) => counts[id] ?? 0;
/** A stock on a day: what was won on an earlier one is not of it. */
const onDay = (stock: Stock, day: string): Stock =>
  day > stock.day ? { ...stock, day, won_on_day: {} } : stock;

/** A stock after one more of a prize. */
const after = ({ grants, day, won, won_on_day }: Stock, id: string): Stock => ({
  grants: grants + 1,
  day,
  won: { ...won, [id]: countIn(won, id) + 1 },
  won_on_day: { ...won_on_day, [id]: countIn(won_on_day, id) + 1 },
});

/** The prizes of a table that were won as often as they may be. */
const outOf = (prizes: readonly Prize[], { won, won_on_day }: Stock) =>
  prizes
    .filter(
      ({ id, stock = Infinity, stock_per_day = Infinity }) =>
        countIn(won, id) >= stock || countIn(won_on_day, id) >= stock_per_day,
    )
    .map(({ id }) => id);

/** The prizes of an outcome's table, if it is drawn on a stock: a debug jackpot is outside of it. */
const stockedTable = (prizes: readonly Prize[] | undefined, { debug }: StoredItem) =>
  debug !== 'jackpot' && prizes?.some(isStocked) ? prizes : undefined;

/**
 * Each win of a prize that has a stock is granted in the same write: it has the next number, in all and on its day, both
 * within what its table allows, and the stock has what was won and nothing else. Other outcomes have no number.
 */
export const grantedInTurn: StepRule = {
  rule: 'prizes of a stock are granted in turn, and no more than there are',
  start(say) {
    const { tables, see } = watchPrizeTables();
    return (step) => {
      see(step);
      const stocks = new Map(inFirstShard(step).map(({ before, after }) => [after!.pk, { before, after }]));
      const expected = new Map([...stocks].map(([pk, { before }]) => [pk, stockIn(before)]));
      for (const { outcome } of outcomesOf(step)) {
        const { organization_id, game, prize_table_version, prize_id, id } = outcome;
        const prizes = stockedTable(tables(organization_id, game, prize_table_version), outcome);
        const prize = prizes?.find((one) => one.id === prize_id);
        if (!prize || !isStocked(prize)) {
          if (outcome.stock_number !== undefined) say(`${id} has a number`);
          continue;
        }
        const before = expected.get(keyOf(outcome));
        if (!before) say(`${id} wins ${prize_id}, and nothing is granted`);
        else {
          const now = after(onDay(before, outcome.stock_day), prize_id);
          expected.set(keyOf(outcome), now);
          const [number, ofDay] = [countIn(now.won, prize_id), countIn(now.won_on_day, prize_id)];
          if (outcome.stock_number !== number || outcome.stock_number_of_day !== ofDay)
            say(`${id} is win ${outcome.stock_number} and not ${number}, or not ${ofDay} of its day`);
          const { stock = Infinity, stock_per_day = Infinity } = prize;
          if (number > stock || ofDay > stock_per_day) say(`${id} is win ${number} of ${prize_id}`);
        }
      }
      for (const [pk, { after }] of stocks)
        if (!isSame(stockIn(after), expected.get(pk))) say(`${pk} has ${JSON.stringify(after)}`);
    };
  },
};

/**
 * What an outcome says of the stock was so, at some moment since its request arrived and after what was won before it by
 * the same write; and just those prizes were out that had been won as often as their table allows.
 */
export const stockSeen: StepRule = {
  rule: 'what a draw says is out of stock was out of it',
  start(say, { clockErrorMs, requestMs }) {
    const { tables, see } = watchPrizeTables();
    const stocks = rememberValues<Stock>(requestMs);
    return (step) => {
      see(step);
      for (const { records } of step.users) {
        const outcomes = outcomesIn(records);
        const [first] = outcomes;
        if (!first) continue;
        const prizes = stockedTable(
          tables(first.organization_id, first.game, first.prize_table_version),
          first,
        );
        if (!prizes) {
          if (outcomes.some(({ stock_sequence, stock_out }) => stock_sequence ?? stock_out))
            say(`${first.id} says something of a stock that there is not`);
          continue;
        }
        const time = timeIn(ulidIn(first.id));
        const days = daysBetween(time - requestMs - clockErrorMs, time);
        const views = stocks
          .since(keyOf(first), step.at - requestMs)
          .flatMap((stock) => days.map((day) => onDay(stock ?? stockIn(undefined), day)));
        if (!views.some((view) => isSeenBy(outcomes, prizes, view)))
          say(`${first.id} says ${JSON.stringify(first)}, and it was one of ${JSON.stringify(views)}`);
      }
      for (const { after } of inFirstShard(step)) if (after) stocks.set(after.pk, stockIn(after), step.at);
    };
  },
};

/** Whether each outcome of a write sees a stock, after what those before it won. */
function isSeenBy(outcomes: StoredItem[], prizes: readonly Prize[], first: Stock): boolean {
  let stock = first;
  return outcomes.every(({ stock_sequence, stock_day, stock_out, stock_number, prize_id }) => {
    const says = { stock_sequence, stock_day, stock_out };
    const is = { stock_sequence: stock.grants, stock_day: stock.day, stock_out: outOf(prizes, stock) };
    if (stock_number !== undefined) stock = after(stock, prize_id);
    return isSame(says, is);
  });
}

export const stockRules = [grantedInTurn, stockSeen];
