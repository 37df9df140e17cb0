import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import { makeScheduledChanges } from '../../shared/operations/scheduled-changes.ts';

/**
 * Applies the settings scheduled for the day, and queues one message for each shard with due orders. Called
 * by the schedule at midnight and by a later sweep. Running late, or twice, leads to the same spins.
 */
export const handler = (event: unknown): Promise<{ shards: number }> =>
  startSpinRun(event, Date.now(), makeScheduledChanges);
