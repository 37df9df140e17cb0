import type { Context } from 'aws-lambda';
import { sweepReceivers } from '../../shared/webhooks/sweep.ts';

/** Runs each minute. Visits the webhooks whose receivers are not well. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  await sweepReceivers(Date.now, () => context.getRemainingTimeInMillis() < 15_000);
}
