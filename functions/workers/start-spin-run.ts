import { makeScheduledChanges } from '../../shared/actions/scheduled-changes.ts';
import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';

/** Running twice does not change outcomes. */
export const handler = (event: unknown): Promise<{ shards: number }> =>
  startSpinRun(event, Date.now(), makeScheduledChanges);
