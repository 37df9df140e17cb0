import { command } from '../command.ts';
import { verifyRecordedOutcome } from '../verify-outcome.ts';

export const verbs = {
  verify: command({
    effect: 'reads',
    summary: "Draw an outcome's prize again from its seeds and its prize table; exit code 1 if it is another",
    required: { org: 'organization id', id: 'outcome id' },
    bare: 'id',
    async run({ org, id }) {
      const verdict = await verifyRecordedOutcome(org, id);
      return { print: verdict, failed: !verdict.verified };
    },
  }),
};
