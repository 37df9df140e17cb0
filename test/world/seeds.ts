/** Seeds that once found something, each with the rule that it broke then. They are run again with every test. */
import type { RunOptions } from './run.ts';

/** A seed with what it takes to see it. */
export type FoundBy = Pick<RunOptions, 'seed' | 'days' | 'life'> & { rule: string; what: string };

export const seeds: FoundBy[] = [
  {
    seed: 313218407,
    days: 1,
    rule: 'the life of the inhabitants goes on',
    what: 'a dead letter of the stream did not say when its records were written',
  },
];
