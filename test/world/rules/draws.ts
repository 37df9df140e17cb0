/** Rules of outcomes: the draw is reproducible, its cost is debited, and its prize is credited. */
import type { StoredItem } from '../journal.ts';
import { isSame } from './hashes.ts';
import { accountOf } from './item-types.ts';
import { trackPrizeTables } from './prize-tables.ts';
import { errorsOfDraw } from './repeat-draw.ts';
import type { StepRule } from './rule.ts';
import { outcomesIn, outcomesOf } from './step.ts';

/** Repeating an outcome's draw with the recorded seeds, prize table and budgets gives the recorded prize. */
export const reproducibleDraws: StepRule = {
  rule: 'a draw follows from its seeds and prize table',
  start(report) {
    const { tables, applyStep } = trackPrizeTables();
    return (step) => {
      applyStep(step);
      for (const { outcome } of outcomesOf(step)) {
        const { organization_id, game, prize_table_version, id } = outcome;
        const prizes = tables(organization_id, game, prize_table_version);
        if (!prizes) report(`${id} is drawn from ${prize_table_version}, which does not exist`);
        else for (const fault of errorsOfDraw(outcome, prizes)) report(`${id}: ${fault}`);
      }
    };
  },
};

const creditedTo: Record<string, string> = {
  tickets: 'tickets',
  entry_truck: 'truck',
  entry_flight: 'flight',
};

/** Returns an outcome's expected transactions: the cost, then the prize if the prize is tickets or entries. */
function transactionsOf({ cost, prize, result_effective_date }: StoredItem) {
  const paid = cost > 0 ? [{ account: 'tickets', amount: -cost, result_effective_date }] : [];
  const won = Object.entries(prize).flatMap(([kind, amount]) =>
    creditedTo[kind] ? [{ account: creditedTo[kind], amount, result_effective_date }] : [],
  );
  return [...paid, ...won];
}

/** An outcome is written with its transactions. Other transactions have an idempotency key or an action's id. */
export const paidAndCredited: StepRule = {
  rule: 'an outcome debits its cost and credits its prize',
  start: (report) => (step) => {
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
          report(`${pk} ${outcome.id} comes with ${JSON.stringify(mine)}`);
      }
      for (const { sk, outcome_id, idempotency_key, action_id, drawing_id } of changes) {
        const isOfGame = outcomes.some(({ id }) => id === outcome_id);
        const others = [idempotency_key, action_id, drawing_id].map((one) => one !== undefined);
        const sources = [isOfGame, ...others];
        if (sources.filter(Boolean).length !== 1 || (outcome_id !== undefined && !isOfGame))
          report(`${pk} ${sk} is of outcome ${outcome_id}, key ${idempotency_key} and action ${action_id}`);
      }
    }
  },
};

export const drawRules = [reproducibleDraws, paidAndCredited];
