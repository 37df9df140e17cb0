import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import { makeScheduledChanges } from '../../shared/operations/scheduled-changes.ts';

/**
 * Makes the settings changes that are due, and queues one message for each shard with due orders. Called by
 * the schedule at midnight and by a later sweep; running late, or twice, leads to the same spins. A one-time
 * schedule calls it for the changes of one organization.
 */
export const handler = (event: unknown): Promise<{ shards: number }> =>
  startSpinRun(event, Date.now(), makeScheduledChanges);
