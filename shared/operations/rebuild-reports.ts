/** How an operator has the fences of reports made anew: with a record of who did it. */
import { readHead } from '../reports/fence-items.ts';
import { rebuildFences } from '../reports/repair-fences.ts';
import { fencedRowsIn } from '../reports/tree.ts';
import { type RecordKind, recordKinds } from '../vocabulary.ts';
import type { By } from './operation-records.ts';
import { operate } from './record-action.ts';

/**
 * Makes the fences of all of an organization's reports anew. It takes many writes, so the record, with the rows that were
 * behind fences before, is written first. Returns the rows behind fences of each report.
 */
export async function rebuildReports(organizationId: string, by: By): Promise<Record<RecordKind, number>> {
  await operate(
    organizationId,
    async () => ({
      action: 'reports_rebuilt',
      about: { fenced_rows: await fencedRows(organizationId) },
      before: {},
      after: {},
    }),
    by,
  );
  for (const report of recordKinds) await rebuildFences({ organizationId, report }, by.now);
  return fencedRows(organizationId);
}

async function fencedRows(organizationId: string): Promise<Record<RecordKind, number>> {
  const counts = recordKinds.map(async (report) => {
    const head = await readHead({ organizationId, report }, { consistent: true });
    return [report, fencedRowsIn(head)];
  });
  return Object.fromEntries(await Promise.all(counts));
}
