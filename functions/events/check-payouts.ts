import type { Context } from 'aws-lambda';
import { checkAllPayouts } from '../../shared/payouts/check-payouts.ts';

/** Milliseconds reserved at the end of the function's time, to evaluate and record the outcomes already read. */
const reserveMs = 30_000;

/** Runs on a schedule. Compares the prizes that each organization awarded since the last check with the odds. */
export const handler = (_event: unknown, context: Context): Promise<{ deviations: number }> =>
  checkAllPayouts(Date.now(), () => context.getRemainingTimeInMillis() > reserveMs);
