import type { Context } from 'aws-lambda';
import { checkActiveReports } from '../../shared/reports/upkeep.ts';

/**
 * Invoked by a schedule. For each report with recent rows, indexes the rows that the report's row index
 * lacks. Without this schedule, a report's last rows would not be indexed until its next record. Then
 * recounts the rows of the last half hour, to find rows that became visible late.
 */
export async function handler(_event: unknown, context: Context): Promise<void> {
  await checkActiveReports(Date.now(), () => context.getRemainingTimeInMillis() > 15_000);
}
