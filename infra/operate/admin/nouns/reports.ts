import { rebuildReports } from '../../../../shared/actions/rebuild-reports.ts';
import { command } from '../command.ts';

export const verbs = {
  rebuild: command({
    effect: 'changes',
    summary:
      "Rebuild the row indexes of an organization's reports from its records; meanwhile reports are correct but slow",
    required: { org: 'organization id' },
    async run({ org }, context) {
      return { print: { organization_id: org, indexed_rows: await rebuildReports(org, context) } };
    },
  }),
};
