import type { Context } from 'aws-lambda';
import { checkAllPayouts } from '../../shared/payouts/check-payouts.ts';

/**
 * Time in milliseconds before the function's timeout at which the function stops reading outcomes, so that it
 * can still judge and record the outcomes already read.
 */
const reserveMs = 30_000;

/**
 * Invoked by a schedule. For each organization, compares the prizes won since its last check with the prizes
 * expected from the odds.
 */
export const handler = (_event: unknown, context: Context): Promise<{ deviations: number }> =>
  checkAllPayouts(Date.now(), () => context.getRemainingTimeInMillis() > reserveMs);
