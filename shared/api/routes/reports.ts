import * as z from 'zod/mini';
import type { Route } from '../route.ts';
import * as s from '../schemas.ts';
import { routeTable } from './table.ts';

const aboutReport = (rows: string, time: 'timestamp' | 'date_created') =>
  `The rows are ${rows}, of all users or of one. \`start\` (inclusive) and \`end\` (exclusive, unlike in the ` +
  `history of webhook calls) select rows by \`${time}\`, not by \`result_effective_date\`. Pages are numbered from ` +
  '0, and totals are exact. The report on a time range can get more rows until a minute after `end`. A page of more than 6 MB returns a 422: send ' +
  '`Accept-Encoding: gzip`, or request fewer rows. You can also send the parameters in a JSON body.';

const ofReports = {
  method: 'GET',
  queryFromBody: true,
  compressed: true,
  access: { table: ['GetItem', 'Query'], index: true },
} satisfies Partial<Route>;

export const reportsRoutes = /* @__PURE__ */ routeTable({
  'reports/outcomes': {
    ...ofReports,
    path: '/game/history',
    summary: 'Report on game outcomes, oldest first',
    description: aboutReport('plays and free spins', 'timestamp'),
    schemas: () => ({
      query: z.object(s.reportQuery).check(...s.timeRange('excluding end')),
      reply: z.object({ items: z.array(s.outcomeReportRow), ...s.reportPaging }),
    }),
  },
  'reports/tickets': {
    ...ofReports,
    path: '/tickets/history',
    summary: 'Report on ticket transactions, oldest first',
    description: aboutReport('credits, debits, ticket prizes, and costs of games', 'date_created'),
    schemas: () => ({
      query: z.object(s.reportQuery).check(...s.timeRange('excluding end')),
      reply: z.object({ transactions: z.array(s.ticketReportRow), ...s.reportPaging }),
    }),
  },
  'reports/entries': {
    ...ofReports,
    // The API contract misspells this path.
    path: '/entrties/history',
    summary: 'Report on entry transactions, oldest first (the path is spelled so)',
    description: aboutReport(
      'credits, debits and prizes, of both entry types or of `entry_type`',
      'date_created',
    ),
    schemas: () => ({
      query: z
        .object({ ...s.reportQuery, entry_type: z.optional(s.entryType) })
        .check(...s.timeRange('excluding end')),
      reply: z.object({ transactions: z.array(s.entryReportRow), ...s.reportPaging }),
    }),
  },
});
