import type { Context } from 'aws-lambda';
import { checkActiveReports } from '../../shared/reports/upkeep.ts';

/**
 * Invoked by a schedule. Indexes the rows that are missing from the row index of each report with recent
 * rows. Without this, a report's last rows would not be indexed until its next record. Then recounts the rows
 * of the last half hour, to find rows that became visible late.
 */
export async function handler(_event: unknown, context: Context): Promise<void> {
  await checkActiveReports(Date.now(), () => context.getRemainingTimeInMillis() > 15_000);
}
