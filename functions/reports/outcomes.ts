import type * as z from 'zod/mini';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { reportsRoutes } from '../../shared/api/routes/reports.ts';
import { outcomeReportRow } from '../../shared/api/schemas.ts';
import { reportPage } from '../../shared/reports/reports.ts';

const fields = Object.keys(outcomeReportRow.shape);

export const handler = endpoint(reportsRoutes['reports/outcomes'], async ({ organizationId, query, now }) => {
  const { rows, paging } = await reportPage<z.output<typeof outcomeReportRow>>(
    organizationId,
    'outcomes',
    query,
    fields,
    { now },
  );
  return reply({ items: rows, ...paging });
});
