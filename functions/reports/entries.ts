import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { reportsRoutes } from '../../shared/api/routes/reports.ts';
import { entryReportRow } from '../../shared/api/schemas.ts';
import { reportOf } from '../../shared/reports/reports.ts';

export const handler = endpoint(reportsRoutes['reports/entries'], async (request) => {
  const { rows, paging } = await reportOf('entries', entryReportRow, request);
  return reply({ transactions: rows, ...paging });
});
