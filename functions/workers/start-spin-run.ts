import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import { makeScheduledChanges } from '../../shared/operations/scheduled-changes.ts';

/** Running twice does not change outcomes. */
export const handler = (event: unknown): Promise<{ shards: number }> =>
  startSpinRun(event, Date.now(), makeScheduledChanges);
