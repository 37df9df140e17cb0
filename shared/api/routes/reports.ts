import * as z from 'zod/mini';
import * as s from '../schemas.ts';
import { table } from './table.ts';

const aboutReport = (what: string) =>
  `${what}, of all users or of one. \`start\` belongs to the range, and \`end\` does not. Pages are numbered from 0; totals ` +
  'are exact. A range can grow for a minute after its end. A page of more than 6 MB is a 422: send ' +
  '`Accept-Encoding: gzip`, or ask for fewer rows. The parameters may stand in a JSON body too.';

export const reportsRoutes = /* @__PURE__ */ table({
  'reports/outcomes': {
    method: 'GET',
    path: '/game/history',
    summary: 'Report on game outcomes, oldest first',
    description: aboutReport('Plays and free spins'),
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
    description: aboutReport('Credits, debits, costs of games and ticket prizes'),
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
    description: aboutReport('Credits, debits and prizes, of both types unless `entry_type` names one'),
    queryFromBody: true,
    compressed: true,
    schemas: () => ({
      query: z.object({ ...s.reportQuery, entry_type: z.optional(s.entryType) }).check(s.startNotAfterEnd),
      reply: z.object({ transactions: z.array(s.entryReportRow), ...s.reportPaging }),
    }),
    access: { table: ['GetItem', 'Query'], index: true },
  },
});
