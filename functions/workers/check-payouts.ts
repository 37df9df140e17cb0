import type { Context } from 'aws-lambda';
import { checkAllPayouts } from '../../shared/payouts/check-payouts.ts';

/** Milliseconds of the function's timeout that are reserved for evaluating and recording the outcomes read so far. */
const reserveMs = 30_000;

export const handler = (_event: unknown, context: Context): Promise<{ ahead: number }> =>
  checkAllPayouts(Date.now(), () => context.getRemainingTimeInMillis() > reserveMs);
