import type { Context } from 'aws-lambda';
import { checkAllReports } from '../../shared/reports/upkeep.ts';

/** Called by a schedule: extends the fences that no further record led to, and counts the last hour once more. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  await checkAllReports(Date.now(), () => context.getRemainingTimeInMillis() > 15_000);
}
