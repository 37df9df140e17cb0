import type { Context } from 'aws-lambda';
import { checkActiveReports } from '../../shared/reports/upkeep.ts';

/**
 * Invoked by a schedule. Indexes the remaining rows of each active report, which the table's stream has not
 * led to, and recounts the rows of the last half hour.
 */
export async function handler(_event: unknown, context: Context): Promise<void> {
  await checkActiveReports(Date.now(), () => context.getRemainingTimeInMillis() > 15_000);
}
