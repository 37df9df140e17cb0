import { Problem } from '../../local/problem.ts';
import { command } from '../command.ts';

const kinds = ['tickets', 'entries', 'outcomes'] as const;

export const verbs = {
  rebuild: command({
    summary:
      "Make the fences of an organization's reports anew from its records; reports are right meanwhile, but slow",
    required: { org: 'organization id' },
    async run({ org: organizationId }, { now }) {
      const [{ get }, { organizationKey }, { rebuild }, { readHead }] = await Promise.all([
        import('../../../shared/table/client.ts'),
        import('../../../shared/table/keys.ts'),
        import('../../../shared/reports/sealing.ts'),
        import('../../../shared/reports/fence-items.ts'),
      ]);
      if (!(await get(organizationKey(organizationId)))) {
        throw new Problem(`There is no organization ${organizationId} on this stage.`);
      }
      const sealed: Record<string, number> = {};
      for (const report of kinds) {
        await rebuild({ organizationId, report }, now);
        const { counts } = await readHead({ organizationId, report }, { consistent: true });
        sealed[report] = counts.flat().reduce((sum, count) => sum + count, 0);
      }
      return { print: { organization_id: organizationId, sealed_rows: sealed } };
    },
  }),
};
