import { listActions } from '../audit.ts';
import { command, day, org } from '../command.ts';

export const verbs = {
  list: command({
    effect: 'reads',
    summary:
      'List all actions of operators and hosts’ changes of page settings, or those of some days: who, when, what, why, before and after',
    required: { org },
    optional: { from: day, to: day },
    run: async ({ org, ...days }, { now }) => ({ print: await listActions(org, days, now) }),
  }),
};
