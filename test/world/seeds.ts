/**
 * Seeds that once found a defect, with the rule that they broke and the test that now guards against it. The
 * simulation has changed since, so running such a seed finds little more than running any other.
 */
import type { RunOptions } from './run.ts';

/** A seed with the options of the run that found the defect. */
export type RegressionSeed = Pick<RunOptions, 'seed' | 'days' | 'workload'> & {
  rule: string;
  what: string;
  test: string;
};

export const seeds: RegressionSeed[] = [
  {
    seed: 95002,
    days: 1,
    rule: 'a report equals a plain list',
    what: 'a user’s report lacked a row that a copy of the table lacked, if the copy had a newer one',
    test: 'reports/reports',
  },
  {
    seed: 71000,
    days: 1,
    rule: 'an invalid request is refused',
    what: 'to delete a webhook that never was succeeded, if a first try got no answer',
    test: 'faults/lost-answers',
  },
  {
    seed: 313218407,
    days: 1,
    rule: 'the workload goes on',
    what: 'a dead letter of the stream did not say when its records were written',
    test: 'infra/develop/local/aws/stream-lane',
  },
  {
    seed: 313576950,
    days: 1,
    rule: 'a read returns a real state that is not older than a known one',
    what: 'a play whose answer got lost was refused for what it had done itself, if nothing more could be read',
    test: 'faults/outcome-unknown',
  },
  {
    seed: 314123267,
    days: 1,
    rule: 'immutable items never change',
    what: 'a try to make a play URL, which nobody waited for, put it back after it was played',
    test: 'games/one-outcome',
  },
  {
    seed: 7,
    days: 1,
    rule: 'a function does not fail if its calls succeed',
    what: 'a request was failed by what an earlier one had asked KMS for, and was frozen at',
    test: 'shared/promises',
  },
  {
    seed: 5,
    days: 1,
    rule: 'every effect was requested, and a refused request has none',
    what: 'a transaction that met another one was refused for the moment, and an attempt that was still under way did it',
    test: 'faults/open-attempts',
  },
  {
    seed: 83001,
    days: 3,
    rule: 'every request is answered in the end',
    what: 'operators went on for good to restore the spins of a user who was erased meanwhile',
    test: 'world/inhabitants/holds',
  },
];
