import * as z from 'zod/mini';
import * as s from '../schemas.ts';
import { table } from './table.ts';

export const reportsRoutes = /* @__PURE__ */ table({
  'reports/outcomes': {
    method: 'GET',
    path: '/game/history',
    summary: 'Report on game outcomes, oldest first',
    queryFromBody: true,
    compressed: true,
    schemas: () => ({
      query: z.object(s.reportQuery).check(s.startNotAfterEnd),
      reply: z.object({ items: z.array(s.outcomeReportRow), ...s.reportPaging }),
    }),
    access: { table: ['GetItem', 'Query'], index: true },
  },
  'reports/tickets': {
    method: 'GET',
    path: '/tickets/history',
    summary: 'Report on ticket transactions, oldest first',
    queryFromBody: true,
    compressed: true,
    schemas: () => ({
      query: z.object(s.reportQuery).check(s.startNotAfterEnd),
      reply: z.object({ transactions: z.array(s.ticketReportRow), ...s.reportPaging }),
    }),
    access: { table: ['GetItem', 'Query'], index: true },
  },
  'reports/entries': {
    method: 'GET',
    // The contract spells it so.
    path: '/entrties/history',
    summary: 'Report on entry transactions, oldest first',
    queryFromBody: true,
    compressed: true,
    schemas: () => ({
      query: z.object({ ...s.reportQuery, entry_type: z.optional(s.entryType) }).check(s.startNotAfterEnd),
      reply: z.object({ transactions: z.array(s.entryReportRow), ...s.reportPaging }),
    }),
    access: { table: ['GetItem', 'Query'], index: true },
  },
});
