import type { Context } from 'aws-lambda';
import { checkAllPayouts } from '../../shared/payouts/check-payouts.ts';

/**
 * Milliseconds before the function's timeout, reserved for judging and recording the outcomes already read.
 */
const reserveMs = 30_000;

/**
 * Runs on a schedule. Compares each organization's prizes since the last check with the prizes expected from
 * the odds.
 */
export const handler = (_event: unknown, context: Context): Promise<{ deviations: number }> =>
  checkAllPayouts(Date.now(), () => context.getRemainingTimeInMillis() > reserveMs);
