import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { reportsRoutes } from '../../shared/api/routes/reports.ts';
import { ticketReportRow } from '../../shared/api/schemas.ts';
import { reportOf } from '../../shared/reports/reports.ts';

export const handler = endpoint(reportsRoutes['reports/tickets'], async (request) => {
  const { rows, paging } = await reportOf('tickets', ticketReportRow, request);
  return reply({ transactions: rows, ...paging });
});
