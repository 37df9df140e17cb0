/** Seeds that once found something, each with the rule that it broke then. They are run again with every test. */
import type { RunOptions } from './run.ts';

/** A seed with what it takes to see it. */
export type FoundBy = Pick<RunOptions, 'seed' | 'days' | 'life'> & { rule: string; what: string };

export const seeds: FoundBy[] = [];
