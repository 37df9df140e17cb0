import type { ClaimStep } from '../../../../shared/prizes/claim-steps.ts';
import { command, org } from '../command.ts';
import { importPrizes } from '../prize-import.ts';
import { listPrizes, stepPrizeAsOperator, trackPrizes } from '../prizes.ts';

const required = { org, prize: 'outcome id, or drw_…:place' };
const delivery = { on: 'YYYY-MM-DD, in New York; by default today' };
const fields = { delivered_on: 'on' } as const;
const flags = ['dry-run'] as const;

const step = (summary: string, state: ClaimStep['state']) =>
  command({
    effect: 'changes',
    summary: `${summary}; the host is told the reason`,
    required,
    flags,
    requiresReason: true,
    run: async ({ org, prize, 'dry-run': isDry }, context) => ({
      print: await stepPrizeAsOperator(org, prize, { state }, context, { isDry }),
    }),
  });

export const verbs = {
  list: command({
    effect: 'reads',
    summary:
      'List the prizes that the host hands out: by default those owed, oldest first; reads all outcomes',
    required: { org },
    optional: { state: 'owed|open|held|delivered|forfeited|untracked|all', limit: '1 to 10000' },
    run: async ({ org, state, limit }) => ({ print: await listPrizes(org, { state, limit }) }),
  }),
  track: command({
    effect: 'changes',
    summary:
      'Set which kinds of prizes are tracked until they are in hand, and how many days winners have to claim them; applies to later wins',
    required: { org },
    optional: { kinds: 'kinds, separated by commas|all|none', 'claim-days': 'number|none' },
    flags,
    run: async ({ org, kinds, 'claim-days': days, 'dry-run': isDry }, context) => ({
      print: await trackPrizes(org, { kinds, days, isDry }, context),
    }),
  }),
  deliver: command({
    effect: 'changes',
    summary: 'Record that a prize was delivered',
    required: { ...required, reference: 'reference of the delivery' },
    optional: delivery,
    fields,
    flags,
    run: async ({ org, prize, reference, on: delivered_on, 'dry-run': isDry }, context) => {
      const step = { state: 'delivered', reference, delivered_on };
      return { print: await stepPrizeAsOperator(org, prize, step, context, { isDry }) };
    },
  }),
  hold: step('Hold a prize back until something is done, such as a form or a proof of age', 'held'),
  forfeit: step('Record that a prize is not handed over; of a drawing, the reason is public', 'forfeited'),
  correct: command({
    effect: 'changes',
    summary: 'Correct any state of a prize but a drawing’s forfeit; the record says that it is a correction',
    required: { ...required, state: 'open|held|delivered|forfeited' },
    optional: { reference: 'reference of the delivery', ...delivery },
    fields,
    flags,
    requiresReason: true,
    run: async ({ org, prize, state, reference, on: delivered_on, 'dry-run': isDry }, context) => {
      const how = { isDry, isCorrection: true };
      return {
        print: await stepPrizeAsOperator(org, prize, { state, reference, delivered_on }, context, how),
      };
    },
  }),
  import: command({
    effect: 'changes',
    summary:
      'Record steps from a CSV file with the columns prize_id, state, reference, reason, delivered_on. A prize can be on one line. Nothing is applied if a line is wrong: --dry-run says which and why. After an interruption, import the file again',
    required: { org, file: 'CSV file' },
    flags,
    run: async ({ org, file, 'dry-run': isDry = false }, context) => ({
      print: await importPrizes(org, file, isDry, context),
    }),
  }),
};
