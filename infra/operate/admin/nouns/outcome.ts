import { command } from '../command.ts';
import { verifyRecordedOutcome } from '../verify-outcome.ts';

export const verbs = {
  verify: command({
    effect: 'reads',
    summary: "Repeat an outcome's draw from its seeds and prize table; exit code 1 if the result differs",
    required: { org: 'organization id', id: 'outcome id' },
    positional: 'id',
    async run({ org, id }) {
      const verdict = await verifyRecordedOutcome(org, id);
      return { print: verdict, failed: !verdict.verified };
    },
  }),
};
