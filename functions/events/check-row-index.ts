import type { Context } from 'aws-lambda';
import { checkActiveReports } from '../../shared/reports/upkeep.ts';

/**
 * Invoked by a schedule. Indexes the remaining rows of each active report, so that the last rows are indexed
 * even if no further record follows. Recounts the rows of the last half hour.
 */
export async function handler(_event: unknown, context: Context): Promise<void> {
  await checkActiveReports(Date.now(), () => context.getRemainingTimeInMillis() > 15_000);
}
