import type { Context } from 'aws-lambda';
import { checkActiveReports } from '../../shared/reports/upkeep.ts';

/** Runs on a schedule. For reports with recent rows, adds missing rows to the indexes and recounts recent rows. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  await checkActiveReports(Date.now(), () => context.getRemainingTimeInMillis() > 15_000);
}
