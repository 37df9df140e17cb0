import type { Context } from 'aws-lambda';
import { checkAllPayouts } from '../../shared/payouts/check-payouts.ts';

/** What is kept back of a function's time, for what has been read to be judged and noted. */
const reserveMs = 30_000;

/** Called by a schedule: whether what was won since its last call is what the odds say. */
export const handler = (_event: unknown, context: Context): Promise<{ deviations: number }> =>
  checkAllPayouts(Date.now(), () => context.getRemainingTimeInMillis() > reserveMs);
