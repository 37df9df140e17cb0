import type { HistoryRecord } from '../../../shared/records.ts';
import { command } from '../command.ts';

export const verbs = {
  verify: command({
    summary: "Check that nothing in a user's history was altered or taken out; exit code 1 if something was",
    required: { org: 'organization id', user: 'user id' },
    async run({ org, user: userId }) {
      const [{ readUser }, { verifyHistory }] = await Promise.all([
        import('../../../shared/users.ts'),
        import('../verify-history.ts'),
      ]);
      const user = await readUser(org, userId);
      const verdict = verifyHistory(user, await readHistory(org, userId));
      return {
        print: { organization_id: org, user_id: userId, ...verdict },
        failed: !verdict.intact,
      };
    },
  }),
};

async function readHistory(organizationId: string, userId: string): Promise<HistoryRecord[]> {
  const { queryAll } = await import('../../../shared/table/client.ts');
  const { recordsOfUser } = await import('../../../shared/table/keys.ts');
  const kinds = (['tickets', 'entries', 'outcomes'] as const).map((kind) => {
    const { pk, prefix } = recordsOfUser(organizationId, userId, kind);
    return queryAll({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
      ConsistentRead: true,
    });
  });
  return (await Promise.all(kinds)).flat() as HistoryRecord[];
}
