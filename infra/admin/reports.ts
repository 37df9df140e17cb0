import { readHead } from '../../shared/reports/fence-items.ts';
import { rebuild } from '../../shared/reports/sealing.ts';
import { readOrganization } from './organization.ts';

const reports = ['tickets', 'entries', 'outcomes'] as const;

/**
 * Makes the fences of all of an organization's reports anew. Returns the number of rows behind the fences of each
 * report. Throws a Problem if there is no such organization.
 */
export async function rebuildReports(organizationId: string, now: number): Promise<Record<string, number>> {
  await readOrganization(organizationId);
  const sealed: Record<string, number> = {};
  for (const report of reports) {
    await rebuild({ organizationId, report }, now);
    const { counts } = await readHead({ organizationId, report }, { consistent: true });
    sealed[report] = counts.flat().reduce((sum, count) => sum + count, 0);
  }
  return sealed;
}
