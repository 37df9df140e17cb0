import type { StoredItem } from '../journal.ts';
import { isSame } from './hashes.ts';
import { accountNames, accountOf, isForcedPrize, isWin } from './item-types.ts';
import type { StepRule } from './rule.ts';
import { outcomesIn } from './step.ts';

/** A user's balances and number of queued spins are integers from 0 to 2^53 - 1. */
const neverNegative: StepRule = {
  rule: 'balances are never negative',
  start: (report) => (step) => {
    for (const { pk, user } of step.users) {
      if (!user?.after) continue;
      const { balances, queued_spins } = user.after;
      const numbers: [string, number][] = [
        ...Object.entries<number>(balances),
        ['queued spins', queued_spins],
      ];
      for (const [name, number] of numbers)
        if (!Number.isSafeInteger(number) || number < 0) report(`${pk} has ${number} ${name}`);
    }
  },
};

/** A balance changes by the sum of the write's transactions. Each transaction has the correct `balance_after`. */
const sumsOfRecords: StepRule = {
  rule: 'balances are the sums of their records',
  start: (report) => (step) => {
    for (const { pk, user, records } of step.users) {
      if (!user?.after) continue;
      const sums: Record<string, number> = {
        ...(user.before?.balances ?? { tickets: 0, truck: 0, flight: 0 }),
      };
      for (const record of records) {
        if (['outcomes', 'orders', 'claims'].includes(record.kind)) continue;
        const account = accountOf(record);
        sums[account] = (sums[account] ?? 0) + record.amount;
        if (record.balance_after !== sums[account])
          report(
            `${pk} ${record.sk} has a balance of ${record.balance_after} ${account}, but it is ${sums[account]}`,
          );
      }
      for (const account of accountNames)
        if (user.after.balances[account] !== sums[account])
          report(
            `${pk} has ${user.after.balances[account]} ${account}, but its records sum up to ${sums[account]}`,
          );
    }
  },
};

const remainingIn = (due: StoredItem | undefined): number => due?.remaining ?? 0;

/**
 * A write changes a user's `queued_spins` and the sum of the remaining spins in the user's due items by the same
 * number.
 */
const queuedSpins: StepRule = {
  rule: 'queued spins equal the remaining spins of orders',
  start: (report) => (step) => {
    for (const { pk, user, due } of step.users) {
      const raised = (user?.after?.queued_spins ?? 0) - (user?.before?.queued_spins ?? 0);
      const remaining = due.reduce(
        (sum, { before, after }) => sum + remainingIn(after) - remainingIn(before),
        0,
      );
      if (raised !== remaining)
        report(`${pk} has ${raised} more queued spins, but its orders ${remaining} more`);
    }
  },
};

const counted: Record<'plays' | 'wins', (outcome: StoredItem) => boolean> = {
  plays: ({ play_type, debug }) => play_type === 'regular' && !isForcedPrize(debug),
  wins: (outcome) => outcome.budgets?.wins !== undefined && isWin(outcome),
};

/** A write increases a user's daily counts by the number of plays and wins in the write's records. */
const dailyCounts: StepRule = {
  rule: 'plays and wins of a day are counted with their records',
  start: (report) => (step) => {
    for (const { pk, user, records } of step.users) {
      if (!user?.before || !user.after) continue;
      for (const [name, isCounted] of Object.entries(counted)) {
        const [before, after] = [user.before[name], user.after[name]];
        const more = outcomesIn(records).filter(isCounted).length;
        const from = after?.day === before?.day ? (before?.count ?? 0) : 0;
        const expected = more === 0 ? before : { day: after?.day, count: from + more };
        if (!isSame(after, expected))
          report(`${pk} goes from ${JSON.stringify(before)} to ${JSON.stringify(after)} ${name}`);
      }
    }
  },
};

export const balanceRules = [neverNegative, sumsOfRecords, queuedSpins, dailyCounts];
