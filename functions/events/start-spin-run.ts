import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import { makeScheduledChanges } from '../../shared/operations/scheduled-changes.ts';

/**
 * Makes due scheduled settings changes, then queues a message for each shard with due spin orders. Runs at
 * midnight in New York and every 15 minutes. Running late or twice does not change the spins' outcomes.
 */
export const handler = (event: unknown): Promise<{ shards: number }> =>
  startSpinRun(event, Date.now(), makeScheduledChanges);
