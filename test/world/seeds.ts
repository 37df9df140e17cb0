/**
 * Seeds that once found a defect. The simulation has changed since, so that they are hardly more likely to find defects
 * than new seeds.
 */
import type { RunOptions } from './run.ts';

/** A seed and the options of the run in which it found a defect. */
export type RegressionSeed = Pick<RunOptions, 'seed' | 'days' | 'workload'> & {
  rule: string;
  defect: string;
  /** The path below `test/` of the unit test that finds the defect, without `.test.ts`. */
  test: string;
};

export const seeds: RegressionSeed[] = [
  {
    seed: 95002,
    days: 1,
    rule: 'a report equals a plain list',
    defect: 'a user’s report lacked a row if a stale replica had a newer row but not this one',
    test: 'reports/reports',
  },
  {
    seed: 71000,
    days: 1,
    rule: 'an invalid request is refused',
    defect: 'deleting an unknown webhook succeeded if the first attempt got no answer',
    test: 'faults/lost-answers',
  },
  {
    seed: 313218407,
    days: 1,
    rule: 'the workload completes without an error',
    defect: 'a dead letter of the stream lacked the times of its records',
    test: 'infra/develop/local/aws/stream-lane',
  },
  {
    seed: 313576950,
    days: 1,
    rule: 'a read returns a real state that is not older than a known one',
    defect: 'a retried play was refused because of its own first attempt, if the table could not be read',
    test: 'faults/outcome-unknown',
  },
  {
    seed: 314123267,
    days: 1,
    rule: 'immutable items never change',
    defect: 'a late attempt to create a play URL reset the session after it was played',
    test: 'games/one-outcome',
  },
  {
    seed: 7,
    days: 1,
    rule: 'a function does not fail if its calls succeed',
    defect: 'a request failed because of a KMS call that was pending when the instance was frozen',
    test: 'shared/promises',
  },
  {
    seed: 5,
    days: 1,
    rule: 'every effect was requested, and a refused request has none',
    defect: 'a request was refused after a transaction conflict, although a pending attempt then succeeded',
    test: 'faults/unanswered-attempts',
  },
  {
    seed: 320260039,
    rule: 'a successful request has one effect and one answer',
    defect: 'an order at midnight counted on the day before its record, if the function’s clock was behind',
    test: 'games/day-secrets',
  },
  {
    seed: 320260151,
    rule: 'immutable items never change',
    defect: 'a late attempt of a claim made a queued invocation claimable again',
    test: 'webhooks/invoke',
  },
  {
    seed: 737850481,
    days: 1,
    rule: 'no stored item contains an erased user’s texts',
    defect: 'the command that erases a user ended at the limit of 1,000 writes a second to the user’s items',
    test: 'infra/operate/admin/erase-user',
  },
];
