import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import { makeScheduledChanges } from '../../shared/operations/scheduled-changes.ts';

/**
 * Makes the scheduled settings changes that are due, then queues one message for each shard with due spin
 * orders. Schedules invoke this function at midnight in New York and every 15 minutes. A late or repeated
 * invocation leads to the same spins. For an event of an organization's one-time schedule, only makes the due
 * settings changes of this organization.
 */
export const handler = (event: unknown): Promise<{ shards: number }> =>
  startSpinRun(event, Date.now(), makeScheduledChanges);
