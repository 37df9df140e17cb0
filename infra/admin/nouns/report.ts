import { command, type Outcome } from '../command.ts';
import { csvOf } from '../report/csv.ts';
import { type Report, reportDay } from '../report/reports.ts';

const org = 'organization id';
const day = 'YYYY-MM-DD';
const flags = ['csv'] as const;

export const verbs = {
  day: command({
    summary: 'A day in New York in figures: plays, tickets, entries, cash and its limit, prizes, free spins',
    required: { org, day },
    flags,
    run: async (values, { now }) => printed(await reportDay(values.org, values.day, now), values.csv),
  }),
};

function printed({ head, columns, rows, failed = false }: Report, asCsv = false): Outcome {
  return asCsv ? { text: csvOf(columns, rows), failed } : { print: { ...head, rows }, failed };
}
