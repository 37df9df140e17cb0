import type { Bug } from './bug.ts';

const ofPayouts = ['test/payouts/check-payouts.test.ts'];

/**
 * Bugs that `npm run planted` plants in the code that checks whether payouts are higher than the odds
 * explain.
 */
export const payouts: Bug[] = [
  {
    name: 'two checks of payouts at once count the same outcomes',
    file: 'shared/payouts/check-payouts.ts',
    from: "'checked_until = :last'",
    to: "'checked_until >= :last'",
  },
  {
    name: 'outcomes that the index does not show yet are never checked',
    file: 'shared/payouts/check-payouts.ts',
    from: 'const indexLagMs = 120_000;',
    to: 'const indexLagMs = 0;',
    tests: ofPayouts,
  },
  {
    name: 'payouts are compared with the odds of the whole table',
    file: 'shared/payouts/tally.ts',
    from: 'setOfOutcome(tally, outcome, prizes)',
    to: 'setOfOutcome(tally, { ...outcome, budgets: undefined }, prizes)',
  },
  {
    name: 'debug plays are compared with the odds',
    file: 'shared/payouts/tally.ts',
    from: 'if (outcome.debug) return;',
    to: '',
  },
  {
    name: 'a check of payouts does not note what it has come to',
    file: 'shared/payouts/check-payouts.ts',
    from: 'checked_until: until,',
    to: 'checked_until: from,',
  },
  {
    name: 'a test of payouts begins anew with each check',
    file: 'shared/payouts/evidence.ts',
    from: 'updateTest(open.get(nameOf(test)) ?? test, sums)',
    to: 'updateTest(test, sums)',
    tests: ofPayouts,
  },
  {
    name: 'too few wins are no deviation',
    file: 'shared/payouts/evidence.ts',
    from: 'const factors = [0.5, 1.5, 3];',
    to: 'const factors = [1.5, 3];',
    tests: ['test/payouts/evidence.test.ts'],
  },
];
