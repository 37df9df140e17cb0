import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import { makeScheduledChanges } from '../../shared/operations/scheduled-changes.ts';

/**
 * Makes the changes that are set for a day, and sends one message for each shard that has orders due. The schedule at
 * midnight and the sweep after it call the same: started late, twice or only by the sweep, it comes to the same spins.
 */
export const handler = (event: unknown): Promise<{ shards: number }> =>
  startSpinRun(event, Date.now(), makeScheduledChanges);
