import { readNewestDrawings } from '../../../../shared/drawings/drawings.ts';
import { readDrawingViews } from '../../../../shared/drawings/view.ts';
import { entryTypes } from '../../../../shared/vocabulary.ts';
import { BadUsage } from '../../../common/arguments.ts';
import { command, org } from '../command.ts';
import { announce, callOff, exportDrawing, forfeitPlace, showDrawing } from '../drawings.ts';

const drawing = 'drawing id';

export const verbs = {
  announce: command({
    effect: 'changes',
    summary:
      'Announce a drawing among all entries of a type, before its closing day; the draw is two days after it or later, within 366 days. Nothing of it can be changed. --test, except in production, closes now and draws by the next round. --dry-run shows what the public sees',
    required: { org, type: entryTypes.join('|'), prize: 'text', 'value-usd': 'USD', 'claim-days': 'days' },
    optional: {
      closes: 'YYYY-MM-DD, the last day whose entries count',
      draws: 'time such as 2027-02-03T20:00, in New York unless it has an offset',
      winners: 'number; 1 if absent',
      'prize-es': 'text in Spanish',
    },
    fields: { draws_at: 'draws' },
    flags: ['test', 'dry-run'],
    run: async ({ org, test: isTest, 'dry-run': isDry, ...typed }, { stage, ...context }) => {
      if (isTest && stage === 'production') throw new BadUsage('--test: production has no test drawings.');
      return { print: await announce(org, typed, { isTest, isDry }, context) };
    },
  }),
  list: command({
    effect: 'reads',
    summary: 'List the drawings of an organization, newest first, with their winners',
    required: { org },
    run: async ({ org }) => ({ print: { drawings: await readDrawingViews(await readNewestDrawings(org)) } }),
  }),
  show: command({
    effect: 'reads',
    summary: 'Show a drawing, and the users with the most entries: from hosts, games and operators',
    required: { org, drawing },
    positional: 'drawing',
    run: async ({ org, drawing }) => ({ print: await showDrawing(org, drawing) }),
  }),
  'call-off': command({
    effect: 'changes',
    summary: 'Call off a drawing that has not closed; used-up entries are given back. The reason is public',
    required: { org, drawing },
    flags: ['dry-run'],
    requiresReason: true,
    run: async ({ org, drawing, 'dry-run': isDry = false }, context) => ({
      print: await callOff(org, drawing, isDry, context),
    }),
  }),
  forfeit: command({
    effect: 'changes',
    summary:
      'Take a prize from its winner and draw the next. The reason is public; whether it is just is not proven',
    required: { org, drawing, place: 'number' },
    optional: { user: 'user id; needed once somebody has forfeited the place' },
    flags: ['dry-run'],
    requiresReason: true,
    run: async ({ org, 'dry-run': isDry = false, ...typed }, context) => ({
      print: await forfeitPlace(org, typed, isDry, context),
    }),
  }),
  export: command({
    effect: 'exports',
    summary:
      'Write the public file of a closed drawing, which anybody can check with the books and npm run verify',
    required: { org, drawing },
    optional: { out: 'folder' },
    positional: 'drawing',
    run: async ({ org, drawing, out = '.' }) => ({ print: await exportDrawing(org, drawing, out) }),
  }),
};
