import { command } from '../command.ts';

export const verbs = {
  verify: command({
    summary: "Check that nothing in a user's history was altered or taken out; exit code 1 if something was",
    required: { org: 'organization id', user: 'user id' },
    async run({ org, user: userId }) {
      const [{ allRecords }, { readUser }, { verifyHistory }] = await Promise.all([
        import('../../../shared/accounts/history.ts'),
        import('../../../shared/accounts/user.ts'),
        import('../verify-history.ts'),
      ]);
      const user = await readUser(org, userId);
      const verdict = verifyHistory(user, await allRecords(org, userId));
      return {
        print: { organization_id: org, user_id: userId, ...verdict },
        failed: !verdict.intact,
      };
    },
  }),
};
