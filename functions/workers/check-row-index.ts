import type { Context } from 'aws-lambda';
import { checkActiveReports } from '../../shared/reports/upkeep.ts';

export async function handler(_event: unknown, context: Context): Promise<void> {
  await checkActiveReports(Date.now(), () => context.getRemainingTimeInMillis() > 15_000);
}
