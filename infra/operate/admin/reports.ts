import { readHead } from '../../../shared/reports/fence-items.ts';
import { rebuildFences } from '../../../shared/reports/repair-fences.ts';
import { fencedRowsIn } from '../../../shared/reports/tree.ts';
import { recordKinds } from '../../../shared/vocabulary.ts';
import { readOrganization } from './organization.ts';

/**
 * Makes the fences of all of an organization's reports anew. Returns the number of rows behind the fences of each
 * report. Throws a Problem if there is no such organization.
 */
export async function rebuildReports(organizationId: string, now: number): Promise<Record<string, number>> {
  await readOrganization(organizationId);
  const fenced: Record<string, number> = {};
  for (const report of recordKinds) {
    await rebuildFences({ organizationId, report }, now);
    fenced[report] = fencedRowsIn(await readHead({ organizationId, report }, { consistent: true }));
  }
  return fenced;
}
