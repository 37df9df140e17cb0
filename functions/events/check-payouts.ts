import type { Context } from 'aws-lambda';
import { checkAllPayouts } from '../../shared/payouts/check-payouts.ts';

/**
 * Time in milliseconds before the function's timeout that is reserved for judging and recording what was
 * read.
 */
const reserveMs = 30_000;

/** Called by a schedule. Compares the prizes won since the last call with their odds. */
export const handler = (_event: unknown, context: Context): Promise<{ deviations: number }> =>
  checkAllPayouts(Date.now(), () => context.getRemainingTimeInMillis() > reserveMs);
