import type { Context } from 'aws-lambda';
import { checkAllPayouts } from '../../shared/payouts/check-payouts.ts';

/**
 * The function stops reading outcomes this long (in milliseconds) before its timeout. The remaining time is
 * for judging and recording the outcomes already read.
 */
const reserveMs = 30_000;

/**
 * Invoked by a schedule. Compares the prizes won since the last invocation with the prizes expected from the
 * odds.
 */
export const handler = (_event: unknown, context: Context): Promise<{ deviations: number }> =>
  checkAllPayouts(Date.now(), () => context.getRemainingTimeInMillis() > reserveMs);
