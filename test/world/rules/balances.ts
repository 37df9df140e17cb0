import { accountNames, accountOf } from './item-types.ts';
import type { StepRule } from './rule.ts';

/** A user's balances and number of queued spins are integers from 0 to 2^53 - 1. */
export const neverNegative: StepRule = {
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

/**
 * A balance changes by the sum of the write's transactions. Each transaction has the right `balance_after`.
 */
export const sumsOfRecords: StepRule = {
  rule: 'balances are the sums of their records',
  start: (report) => (step) => {
    for (const { pk, user, records } of step.users) {
      if (!user?.after) continue;
      const sums: Record<string, number> = {
        ...(user.before?.balances ?? { tickets: 0, truck: 0, flight: 0 }),
      };
      for (const record of records) {
        if (record.kind === 'outcomes' || record.kind === 'orders') continue;
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

export const balanceRules = [neverNegative, sumsOfRecords];
