import type { Context } from 'aws-lambda';
import { sweepReceivers } from '../../shared/webhooks/sweep.ts';

export async function handler(_event: unknown, context: Context): Promise<void> {
  await sweepReceivers(Date.now, () => context.getRemainingTimeInMillis() < 15_000);
}
