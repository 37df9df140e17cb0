import { rebuildReports } from '../../../../shared/actions/rebuild-reports.ts';
import { type CommandResult, command, day, org } from '../command.ts';
import { formatCsv, reportColumnsOf } from '../report/csv.ts';
import { winnersListAbove } from '../report/reporting-law.ts';
import {
  type PrintedReport,
  reportAmoe,
  reportDay,
  reportLiability,
  reportTaxes,
  reportWinners,
} from '../report/reports.ts';

const period = { org, from: day, to: day };
const flags = ['csv'] as const;

export const verbs = {
  day: command({
    effect: 'reads',
    summary:
      'Report the figures of a day in New York, or of today so far: plays, tickets, entries, cash and its limit, prizes and free spins, with plays and cash by hour and the latest winners',
    required: { org },
    optional: { day },
    flags,
    run: async (values, { now }) => printed(await reportDay(values.org, values.day, now), values.csv),
  }),
  winners: command({
    effect: 'reads',
    summary: `List the winners of prizes above ${winnersListAbove.usd} USD, as New York and Florida require, and of prizes without a value; --without-credits leaves out tickets and entries`,
    required: period,
    optional: { 'at-least': 'whole USD' },
    flags: [...flags, 'without-credits'],
    run: async ({ csv, org, from, to, 'at-least': atLeast, 'without-credits': withoutCredits }, { now }) =>
      printed(await reportWinners(org, { from, to, atLeast, withoutCredits }, now), csv),
  }),
  liability: command({
    effect: 'reads',
    summary:
      'Report the tickets and entries that users hold at the end of a day, or now, and the tracked prizes that are owed; separately those of erased users; reads all records up to then',
    required: { org },
    optional: { day },
    flags,
    run: async (values, { now }) => printed(await reportLiability(values.org, values.day, now), values.csv),
  }),
  taxes: command({
    effect: 'reads',
    summary:
      'Report each user’s wins in a calendar year, and who reaches the threshold of Form 1099-MISC; users below it with prizes without a value are undecided',
    required: { org, year: 'YYYY' },
    optional: { threshold: 'whole USD, for a year whose threshold is not known here' },
    flags,
    run: async ({ csv, org, ...typed }, { now }) => printed(await reportTaxes(org, typed, now), csv),
  }),
  amoe: command({
    effect: 'reads',
    summary: 'Compare the wins of free spins and regular plays from the same prizes with their chances',
    required: period,
    flags,
    run: async ({ csv, org, ...days }, { now }) => printed(await reportAmoe(org, days, now), csv),
  }),
  rebuild: command({
    effect: 'changes',
    summary:
      "Rebuild the row indexes of an organization's reports from its records; meanwhile reports are correct but slow",
    required: { org },
    async run({ org }, context) {
      return { print: { organization_id: org, indexed_rows: await rebuildReports(org, context) } };
    },
  }),
};

function printed({ head, columns, rows, failed = false }: PrintedReport, asCsv = false): CommandResult {
  return asCsv
    ? { text: formatCsv(columns, rows, reportColumnsOf(head)), failed }
    : { print: { ...head, rows }, failed };
}
