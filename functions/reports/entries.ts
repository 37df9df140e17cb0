import type * as z from 'zod/mini';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';
import { entryReportRow } from '../../shared/api/schemas.ts';
import { reportPage } from '../../shared/reports/reports.ts';

const fields = Object.keys(entryReportRow.shape);

/** Reports on an organization's truck and flight entry transactions, page by page, oldest first. */
export const handler = endpoint(routes['reports/entries'], async ({ organizationId, query, now }) => {
  const { rows, paging } = await reportPage<z.output<typeof entryReportRow>>(
    organizationId,
    'entries',
    query,
    fields,
    { now },
  );
  return reply({ transactions: rows, ...paging });
});
