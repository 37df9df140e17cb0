import { command } from '../command.ts';
import { rebuildReports } from '../reports.ts';

export const verbs = {
  rebuild: command({
    summary:
      "Make the fences of an organization's reports anew from its records; reports are right meanwhile, but slow",
    required: { org: 'organization id' },
    run: async ({ org }, { now }) => ({
      print: { organization_id: org, fenced_rows: await rebuildReports(org, now) },
    }),
  }),
};
