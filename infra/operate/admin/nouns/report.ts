import { command, type Outcome } from '../command.ts';
import { csvOf, stampOf } from '../report/csv.ts';
import { winnersAbove } from '../report/reporting-law.ts';
import {
  type Report,
  reportAmoe,
  reportCash,
  reportDay,
  reportLiability,
  reportTaxes,
  reportToday,
  reportWinners,
} from '../report/reports.ts';

const org = 'organization id';
const day = 'YYYY-MM-DD';
const period = { org, from: day, to: day };
const flags = ['csv'] as const;

export const verbs = {
  day: command({
    effect: 'reads',
    summary: 'A day in New York in figures: plays, tickets, entries, cash and its limit, prizes, free spins',
    required: { org, day },
    flags,
    run: async (values, { now }) => printed(await reportDay(values.org, values.day, now), values.csv),
  }),
  today: command({
    effect: 'reads',
    summary: 'The same of today so far, or of a day, with plays and cash by the hour and the latest winners',
    required: { org },
    optional: { day },
    flags,
    run: async (values, { now }) => printed(await reportToday(values.org, values.day, now), values.csv),
  }),
  winners: command({
    effect: 'reads',
    summary: `Who won what when: prizes above ${winnersAbove.usd} USD, as New York and Florida ask for them, and all that have no value yet; --without-credits leaves out tickets and entries`,
    required: period,
    optional: { 'at-least': 'whole USD' },
    flags: [...flags, 'without-credits'],
    run: async ({ csv, org, from, to, 'at-least': atLeast, 'without-credits': withoutCredits }, { now }) =>
      printed(await reportWinners(org, { from, to, atLeast, withoutCredits }, now), csv),
  }),
  cash: command({
    effect: 'reads',
    summary: 'Cash by day: the limits in force, what was granted by game and kind of play, and what was left',
    required: period,
    flags,
    run: async ({ csv, org, ...days }, { now }) => printed(await reportCash(org, days, now), csv),
  }),
  liability: command({
    effect: 'reads',
    summary:
      'The tickets and entries that users hold at the end of a day, or now, those of erased users apart; reads all records up to then',
    required: { org },
    optional: { day },
    flags,
    run: async (values, { now }) => printed(await reportLiability(values.org, values.day, now), values.csv),
  }),
  taxes: command({
    effect: 'reads',
    summary: 'What users won in a calendar year, and who is at or above the threshold of Form 1099-MISC',
    required: { org, year: 'YYYY' },
    optional: { threshold: 'whole USD, for a year whose threshold is not known here' },
    flags,
    run: async ({ csv, org, ...typed }, { now }) => printed(await reportTaxes(org, typed, now), csv),
  }),
  amoe: command({
    effect: 'reads',
    summary:
      'What free spins won beside regular plays, like with like, and how likely it is that chance alone tells them apart',
    required: period,
    flags,
    run: async ({ csv, org, ...days }, { now }) => printed(await reportAmoe(org, days, now), csv),
  }),
};

function printed({ head, columns, rows, failed = false }: Report, asCsv = false): Outcome {
  return asCsv ? { text: csvOf(columns, rows, stampOf(head)), failed } : { print: { ...head, rows }, failed };
}
