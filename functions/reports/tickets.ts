import type * as z from 'zod/mini';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { reportsRoutes } from '../../shared/api/routes/reports.ts';
import { ticketReportRow } from '../../shared/api/schemas.ts';
import { reportPage } from '../../shared/reports/reports.ts';

const fields = Object.keys(ticketReportRow.shape);

export const handler = endpoint(reportsRoutes['reports/tickets'], async ({ organizationId, query, now }) => {
  const { rows, paging } = await reportPage<z.output<typeof ticketReportRow>>(
    organizationId,
    'tickets',
    query,
    fields,
    { now },
  );
  return reply({ transactions: rows, ...paging });
});
