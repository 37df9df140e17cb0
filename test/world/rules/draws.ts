/** Rules of outcomes: drawn as anybody can check, from what was left, paid for and credited. */
import type { StoredItem } from '../journal.ts';
import { faultsOfDraw } from './drawing.ts';
import { rememberValues } from './history-of-values.ts';
import type { StepRule } from './rule.ts';
import { cashLimitOf, type Organization, watchPrizeTables } from './settings.ts';
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

/**
 * What an outcome says was left of the day's cash was left, less what was won before it by the same write. A draw is
 * made from what was read a moment before, and only cash that it wins is looked at again: so what it says may be that
 * of any moment since its request arrived.
 */
export const cashLeft: StepRule = {
  rule: 'the cash that a draw says was left was left',
  start(say, { clockErrorMs, requestMs }) {
    const organizations = rememberValues<Organization>(requestMs);
    const granted = rememberValues<number>(requestMs);
    const amountsLeft = (organizationId: string, days: string[], since: number) =>
      organizations
        .since(organizationId, since)
        .flatMap((organization) =>
          days.flatMap((day) =>
            granted
              .since(`CASH#${organizationId}#${day}`, since)
              .map((usd = 0) => Math.max(0, cashLimitOf(organization) - usd)),
          ),
        );
    return (step) => {
      for (const { records } of step.users) {
        let won = 0;
        const outcomes = outcomesIn(records).filter(({ debug }) => debug !== 'jackpot');
        const first = outcomes[0]?.cash_left_usd;
        for (const { cash_left_usd, ...outcome } of outcomes as StoredItem[]) {
          if (cash_left_usd !== first - won)
            say(`${outcome.id} does not see the ${won} that were won before it`);
          won += cashWon(outcome as StoredItem);
        }
        if (first === undefined) continue;
        const { organization_id, id } = outcomes[0]!;
        const days = daysBetween(timeIn(ulidIn(id)) - requestMs - clockErrorMs, timeIn(ulidIn(id)));
        const left = amountsLeft(organization_id, days, step.at - requestMs);
        if (!left.includes(first)) say(`${id} says that ${first} were left, and it was one of ${left}`);
      }
      remember(step);
    };

    function remember(step: Step) {
      for (const { after } of step.of('organization'))
        if (after) organizations.set(organizationOf(after), after, step.at);
      for (const { after } of step.of('cash')) if (after) granted.set(after.pk, after.granted_usd, step.at);
    }
  },
};

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
 * an outcome's id. What is not of a game has a key of the host's.
 */
export const paidAndCredited: StepRule = {
  rule: 'an outcome pays its cost and credits its prize',
  start: (say) => (step) => {
    for (const { pk, records } of step.users) {
      const changes = records.filter(({ kind }) => kind !== 'outcomes');
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
      for (const { sk, outcome_id, idempotency_key } of changes) {
        const isOfGame = outcomes.some(({ id }) => id === outcome_id);
        if (isOfGame === (idempotency_key !== undefined) || (outcome_id !== undefined && !isOfGame))
          say(`${pk} ${sk} is of outcome ${outcome_id} and of key ${idempotency_key}`);
      }
    }
  },
};

export const drawRules = [drawn, cashLeft, paidAndCredited];
