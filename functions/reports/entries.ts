import type * as z from 'zod/mini';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { reportsRoutes } from '../../shared/api/routes/reports.ts';
import { entryReportRow } from '../../shared/api/schemas.ts';
import { reportPage } from '../../shared/reports/reports.ts';

const fields = Object.keys(entryReportRow.shape);

export const handler = endpoint(reportsRoutes['reports/entries'], async ({ organizationId, query, now }) => {
  const { rows, paging } = await reportPage<z.output<typeof entryReportRow>>(
    organizationId,
    'entries',
    query,
    fields,
    { now },
  );
  return reply({ transactions: rows, ...paging });
});
