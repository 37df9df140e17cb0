import type { Context } from 'aws-lambda';
import { checkAllReports } from '../../shared/reports/upkeep.ts';

/** Called by a schedule: seals what no further record has rung for, and looks at the last hour once more. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  await checkAllReports(Date.now(), () => context.getRemainingTimeInMillis() > 15_000);
}
