import { rowCountOf } from '../reports/day-counts.ts';
import { rebuildIndex } from '../reports/recount.ts';
import { readRowIndex } from '../reports/stored-index.ts';
import { reportNames } from '../table/row-index-keys.ts';
import { type RecordKind, recordKinds } from '../vocabulary.ts';
import type { ActionContext } from './action-records.ts';
import { recordAction } from './record-action.ts';

/** Rebuilds the row indexes of all reports of an organization, after recording the action. */
export async function rebuildReports(
  organizationId: string,
  context: ActionContext,
): Promise<Record<RecordKind, number>> {
  const action = { action: 'reports_rebuilt' as const, before: {}, after: {} };
  await recordAction(organizationId, async () => action, context);
  for (const report of reportNames) await rebuildIndex({ organizationId, report }, context.now);
  return indexedRows(organizationId);
}

async function indexedRows(organizationId: string): Promise<Record<RecordKind, number>> {
  const counts = recordKinds.map(async (report) => {
    const index = await readRowIndex({ organizationId, report }, { consistent: true });
    return [report, rowCountOf(index)];
  });
  return Object.fromEntries(await Promise.all(counts));
}
