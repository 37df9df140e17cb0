import { allRecords } from '../../../shared/accounts/history.ts';
import { readUser } from '../../../shared/accounts/user.ts';
import { command } from '../command.ts';
import { verifyHistory } from '../verify-history.ts';

export const verbs = {
  verify: command({
    summary: "Check that nothing in a user's history was altered or taken out; exit code 1 if something was",
    required: { org: 'organization id', user: 'user id' },
    async run({ org, user: userId }) {
      const user = await readUser(org, userId);
      const verdict = verifyHistory(user, await allRecords(org, userId));
      return {
        print: { organization_id: org, user_id: userId, ...verdict },
        failed: !verdict.intact,
      };
    },
  }),
};
