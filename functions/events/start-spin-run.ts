import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import { makeScheduledChanges } from '../../shared/operations/scheduled-changes.ts';

/**
 * Applies the settings changes that are due, and queues one message for each shard with due spin orders.
 * Schedules invoke this function at midnight in New York and every 15 minutes. A late or repeated invocation
 * leads to the same spins. A one-time schedule invokes this function for the settings changes of one
 * organization.
 */
export const handler = (event: unknown): Promise<{ shards: number }> =>
  startSpinRun(event, Date.now(), makeScheduledChanges);
