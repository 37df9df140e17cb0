/** Rules of outcomes: drawn as anybody can check, from what was left, paid for and credited. */
import type { StoredItem } from '../journal.ts';
import { faultsOfDraw } from './drawing.ts';
import { rememberValues } from './history-of-values.ts';
import type { StepRule } from './rule.ts';
import {
  availableAt,
  cashShareOf,
  chainOf,
  chainsOn,
  type Organization,
  watchPrizeTables,
} from './settings.ts';
import { outcomesIn, outcomesOf, type Step } from './step.ts';
import { accountOf, cashWon, organizationOf } from './stored.ts';
import { isSame } from './texts.ts';
import { daysBetween, timeIn, ulidIn } from './true-time.ts';

/** Each outcome's prize follows from its seeds, its table and what it says was left of the day's cash. */
export const drawn: StepRule = {
  rule: 'each draw follows from its seeds and its table',
  start(say) {
    const { tables, see } = watchPrizeTables();
    return (step) => {
      see(step);
      for (const { outcome } of outcomesOf(step)) {
        const { organization_id, game, prize_table_version, id } = outcome;
        const prizes = tables(organization_id, game, prize_table_version);
        if (!prizes) say(`${id} is drawn from ${prize_table_version}, which is not there`);
        else for (const fault of faultsOfDraw(outcome, prizes)) say(`${id}: ${fault}`);
      }
    };
  },
};

/** How a day's cash stands, as outcomes say it. */
type View = Pick<
  StoredItem,
  'cash_day' | 'cash_chains' | 'cash_sequence' | 'cash_granted_usd' | 'cash_limit_usd' | 'cash_paced_usd'
>;
const viewOf = ({
  cash_day,
  cash_chains,
  cash_sequence,
  cash_granted_usd,
  cash_limit_usd,
  cash_paced_usd,
}: StoredItem): View => ({
  cash_day,
  cash_chains,
  cash_sequence,
  cash_granted_usd,
  cash_limit_usd,
  cash_paced_usd,
});
const leftOf = ({ cash_granted_usd, cash_limit_usd, cash_paced_usd = cash_limit_usd }: View) =>
  Math.max(0, cash_paced_usd - cash_granted_usd);

/**
 * What an outcome says of the day's cash was so, after what was won before it by the same write. A draw is made from
 * what was read a moment before, and only cash that it wins is looked at again: so what it says may be that of any
 * moment since its request arrived.
 */
export const cashLeft: StepRule = {
  rule: 'the cash that a draw says was left was left',
  start(say, { clockErrorMs, requestMs }) {
    const organizations = rememberValues<Organization>(requestMs);
    const granted = rememberValues<StoredItem>(requestMs);
    const viewsOf = (
      { organization_id, user_id }: StoredItem,
      [from, to]: [number, number],
      since: number,
    ): View[] =>
      organizations.since(organization_id, since).flatMap((organization) =>
        daysBetween(from, to).flatMap((day) => {
          const chains = chainsOn(organization, day);
          const chain = chainOf(user_id, chains);
          const pk = `CASH#${organization_id}#${day}#${chain}`;
          const share = cashShareOf(organization, day, chain);
          // By the clock of the function it may have been in one hour or in the other.
          const available = [from, to].map((at) => availableAt(organization, share, day, at));
          const paces = organization?.daily_cash_paced ? new Set(available) : [undefined];
          return granted.since(pk, since).flatMap((cash) =>
            [...paces].map((cash_paced_usd) => ({
              cash_day: day,
              cash_chains: chains === 1 ? undefined : chains,
              cash_sequence: cash?.grants ?? 0,
              cash_granted_usd: cash?.granted_usd ?? 0,
              cash_limit_usd: share,
              cash_paced_usd: cash_paced_usd as number,
            })),
          );
        }),
      );
    return (step) => {
      for (const { records } of step.users) {
        const outcomes = outcomesIn(records).filter(({ debug }) => debug !== 'jackpot');
        if (outcomes.length === 0) continue;
        const { id } = outcomes[0]!;
        const time = timeIn(ulidIn(id));
        const views = viewsOf(outcomes[0]!, [time - requestMs - clockErrorMs, time], step.at - requestMs);
        if (!views.some((view) => isSeenBy(outcomes, view)))
          say(
            `${id} says ${JSON.stringify(viewOf(outcomes[0]!))}, and it was one of ${JSON.stringify(views)}`,
          );
      }
      remember(step);
    };

    function remember(step: Step) {
      for (const { after } of step.of('organization'))
        if (after) organizations.set(organizationOf(after), after, step.at);
      for (const { after } of step.of('cash')) if (after) granted.set(after.pk, after, step.at);
    }
  },
};

/** Whether each outcome of a write sees the day's cash, after what those before it won. */
function isSeenBy(outcomes: StoredItem[], first: View): boolean {
  let view = first;
  return outcomes.every((outcome) => {
    const says = viewOf(outcome);
    const isSeen = outcome.cash_left_usd === leftOf(view);
    const isSaid = says.cash_sequence === undefined || isSame(says, view);
    const usd = cashWon(outcome);
    const { cash_sequence, cash_granted_usd } = view;
    if (usd > 0)
      view = { ...view, cash_sequence: cash_sequence + 1, cash_granted_usd: cash_granted_usd + usd };
    return isSeen && isSaid;
  });
}

const creditedTo: Record<string, string> = {
  tickets: 'tickets',
  entry_truck: 'truck',
  entry_flight: 'flight',
};

/** The transactions that an outcome comes with: what it cost, then what it won, if that is kept here. */
function transactionsOf({ cost, prize, result_effective_date }: StoredItem) {
  const paid = cost > 0 ? [{ account: 'tickets', amount: -cost, result_effective_date }] : [];
  const won = Object.entries(prize).flatMap(([kind, amount]) =>
    creditedTo[kind] ? [{ account: creditedTo[kind], amount, result_effective_date }] : [],
  );
  return [...paid, ...won];
}

/**
 * Each outcome comes with the transactions of its cost and its prize, under its id, in the same write; no others have
 * an outcome's id. What is not of a game has a key of the host's, or an operator made it.
 */
export const paidAndCredited: StepRule = {
  rule: 'an outcome pays its cost and credits its prize',
  start: (say) => (step) => {
    for (const { pk, records } of step.users) {
      const changes = records.filter(({ kind }) => kind === 'tickets' || kind === 'entries');
      const outcomes = outcomesIn(records);
      for (const outcome of outcomes) {
        const mine = changes
          .filter(({ outcome_id }) => outcome_id === outcome.id)
          .map((record) => ({
            account: accountOf(record),
            amount: record.amount,
            result_effective_date: record.result_effective_date,
          }));
        if (!isSame(mine, transactionsOf(outcome)))
          say(`${pk} ${outcome.id} comes with ${JSON.stringify(mine)}`);
      }
      for (const { sk, outcome_id, idempotency_key, operation_id } of changes) {
        const isOfGame = outcomes.some(({ id }) => id === outcome_id);
        const sources = [isOfGame, idempotency_key !== undefined, operation_id !== undefined];
        if (sources.filter(Boolean).length !== 1 || (outcome_id !== undefined && !isOfGame))
          say(
            `${pk} ${sk} is of outcome ${outcome_id}, key ${idempotency_key} and operation ${operation_id}`,
          );
      }
    }
  },
};

export const drawRules = [drawn, cashLeft, paidAndCredited];
