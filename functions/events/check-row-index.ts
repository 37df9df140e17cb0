import type { Context } from 'aws-lambda';
import { checkActiveReports } from '../../shared/reports/upkeep.ts';

/**
 * Runs on a schedule. Adds missing rows to the row indexes of reports with recent rows. Recounts the rows of
 * the last half hour, because the index `byTime` can show a record late.
 */
export async function handler(_event: unknown, context: Context): Promise<void> {
  await checkActiveReports(Date.now(), () => context.getRemainingTimeInMillis() > 15_000);
}
