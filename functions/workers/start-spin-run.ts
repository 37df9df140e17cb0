import { makeScheduledChanges } from '../../shared/actions/scheduled-changes.ts';
import { startDueDrawings } from '../../shared/actions/start-drawings.ts';
import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';

/** Also makes due changes of settings and starts due drawings. Running twice changes nothing. */
export const handler = (event: unknown): Promise<{ shards: number }> =>
  startSpinRun(event, Date.now(), async (now, organizationId) => {
    await makeScheduledChanges(now, organizationId);
    await startDueDrawings(now(), organizationId);
  });
