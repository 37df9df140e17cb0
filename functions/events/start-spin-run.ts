import * as z from 'zod/mini';
import { sendShards } from '../../shared/amoe/spin-queue.ts';
import { dueShards } from '../../shared/amoe/spin-run.ts';
import { timestamp } from '../../shared/api/schemas.ts';
import { validate } from '../../shared/api/validate.ts';
import { log } from '../../shared/log.ts';
import { count } from '../../shared/metrics.ts';
import { dayOf } from '../../shared/time.ts';

const scheduled = z.object({ now: z.optional(timestamp) });

/** Orders that have been due for so long that nobody seems to be running them, in seconds. */
const overdueAfter = 2 * 3600;

/**
 * Sends one message for each shard that has orders due. The schedule at midnight and the sweep after it call the
 * same: started late, twice or only by the sweep, it comes to the same spins.
 */
export async function handler(event: Record<string, unknown>): Promise<{ shards: number }> {
  const { now = 0 } = validate(scheduled, event);
  const asOf = Math.max(now, Date.now());
  const due = await dueShards(asOf);
  await sendShards(due.map(({ shard }) => ({ shard, day: dayOf(asOf) })));
  const overdue = due.filter(({ overdueSeconds }) => overdueSeconds > overdueAfter).length;
  log.info('spin run started', { shards: due.length, overdue_shards: overdue });
  count('OverdueSpinShards', overdue);
  return { shards: due.length };
}
