import { games } from '../../../../shared/vocabulary.ts';
import { listOperations, settingsAt } from '../audit.ts';
import { command } from '../command.ts';

const org = 'organization id';
const day = 'YYYY-MM-DD';

export const verbs = {
  list: command({
    effect: 'reads',
    summary: 'What operators did, ever or on some days: who, when, what, why, before and after',
    required: { org },
    optional: { from: day, to: day },
    run: async ({ org, ...days }, { now }) => ({ print: await listOperations(org, days, now) }),
  }),
  'in-force': command({
    effect: 'reads',
    summary: 'What was in force at a time, and who set it when; with --game its cost and its prize table',
    required: { org, at: 'ISO time; without an offset in New York' },
    optional: { game: games.join('|') },
    run: async ({ org, at, game }) => ({ print: await settingsAt(org, at, game) }),
  }),
};
