import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { reportsRoutes } from '../../shared/api/routes/reports.ts';
import { outcomeReportRow } from '../../shared/api/schemas.ts';
import { reportOf } from '../../shared/reports/reports.ts';

export const handler = endpoint(reportsRoutes['reports/outcomes'], async (request) => {
  const { rows, paging } = await reportOf('outcomes', outcomeReportRow, request);
  return reply({ items: rows, ...paging });
});
