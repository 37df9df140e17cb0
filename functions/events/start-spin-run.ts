import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import { makeScheduledChanges } from '../../shared/operations/scheduled-changes.ts';

/**
 * Makes due settings changes, closes due spin orders, then queues their shards. Running twice does not change outcomes.
 * If the run is late, a later beacon round draws the orders.
 */
export const handler = (event: unknown): Promise<{ shards: number }> =>
  startSpinRun(event, Date.now(), makeScheduledChanges);
