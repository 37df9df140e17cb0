import { games } from '../../../../shared/vocabulary.ts';
import { listActions, settingsAt } from '../audit.ts';
import { command } from '../command.ts';

const org = 'organization id';
const day = 'YYYY-MM-DD';

export const verbs = {
  list: command({
    effect: 'reads',
    summary:
      'List all actions of operators and hosts’ changes of page settings, or those of some days: who, when, what, why, before and after',
    required: { org },
    optional: { from: day, to: day },
    run: async ({ org, ...days }, { now }) => ({ print: await listActions(org, days, now) }),
  }),
  'in-force': command({
    effect: 'reads',
    summary:
      'Show the settings in force at a time, and who set each one when; with --game, its cost and prize table',
    required: { org, at: 'ISO time, in New York unless it has an offset' },
    optional: { game: games.join('|') },
    run: async ({ org, at, game }) => ({ print: await settingsAt(org, at, game) }),
  }),
};
