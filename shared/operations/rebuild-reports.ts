/** How an operator has the row indexes of reports made anew: with a record of who did it. */
import { rowsIn } from '../reports/day-counts.ts';
import { rebuildIndex } from '../reports/recount.ts';
import { readIndex } from '../reports/stored-index.ts';
import { reportNames } from '../table/row-index-keys.ts';
import { type RecordKind, recordKinds } from '../vocabulary.ts';
import type { By } from './operation-records.ts';
import { operate } from './record-action.ts';

/**
 * Makes the row indexes of all of an organization's reports anew. It takes many writes, so the record, with
 * the rows that were indexed before, is written first. Returns the indexed rows of each report.
 */
export async function rebuildReports(organizationId: string, by: By): Promise<Record<RecordKind, number>> {
  await operate(
    organizationId,
    async () => ({
      action: 'reports_rebuilt',
      about: { indexed_rows: await indexedRows(organizationId) },
      before: {},
      after: {},
    }),
    by,
  );
  for (const report of reportNames) await rebuildIndex({ organizationId, report }, by.now);
  return indexedRows(organizationId);
}

async function indexedRows(organizationId: string): Promise<Record<RecordKind, number>> {
  const counts = recordKinds.map(async (report) => {
    const index = await readIndex({ organizationId, report }, { consistent: true });
    return [report, rowsIn(index)];
  });
  return Object.fromEntries(await Promise.all(counts));
}
