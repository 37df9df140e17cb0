import * as z from 'zod/mini';
import { startSpinRun } from '../../shared/amoe/spin-run.ts';
import { timestamp } from '../../shared/api/schemas.ts';
import { validate } from '../../shared/api/validate.ts';

const scheduled = z.object({ now: z.optional(timestamp) });

/**
 * Sends one message for each shard that has orders due. The schedule at midnight and the sweep after it call the
 * same: started late, twice or only by the sweep, it comes to the same spins.
 */
export async function handler(event: Record<string, unknown>): Promise<{ shards: number }> {
  const { now = 0 } = validate(scheduled, event);
  return startSpinRun(Math.max(now, Date.now()));
}
