import type { Measured, Row } from '../row.ts';
import { idleParts } from './idle.ts';
import type { MeasuredUse } from './measure.ts';
import { measureAllOnce } from './operations.ts';
import { type Charge, copiedOn, costOfUse, infrequentAccess, sumOf, type Use } from './prices.ts';
import { monthOf, operationsPerPlay, playsPerDay } from './traffic.ts';

const million = 1e6;

function usd(amount: number): string {
  if (amount === 0) return '0';
  if (amount < 0.005) return '<0.01';
  return amount < 1000 ? amount.toFixed(2) : Math.round(amount).toLocaleString('en-US');
}
const short = (count: number) => String(Number(count.toFixed(count < 0.1 ? 3 : 2)));

/** Kinds of costs that the bench prints. Each kind is the sum of the listed charges. */
const kinds: Record<string, Charge[]> = {
  writes: ['WriteRequestUnits', 'IA-WriteRequestUnits'],
  'writes of the index': ['WriteRequestUnits (index)', 'IA-WriteRequestUnits (index)'],
  reads: ['ReadRequestUnits', 'IA-ReadRequestUnits'],
  'what is stored by then': ['TimedStorage-ByteHrs', 'IA-TimedStorage-ByteHrs'],
  'its recovery to any second': ['TimedPITRStorage-ByteHrs'],
  'API requests': ['ApiGatewayRequest'],
  functions: ['Request-ARM', 'Lambda-GB-Second-ARM'],
  queues: ['SQS Requests-Tier1', 'SQS Requests-FairQueue'],
  logs: ['VendedLog-Bytes', 'TimedStorage-ByteHrs (logs)'],
  'data out': ['DataTransfer-Out-Bytes'],
  'keys, alarms, metrics, dashboard, schedules': [
    'KMS-Keys',
    'KMS-Requests',
    'CW:AlarmMonitorUsage',
    'CW:MetricMonitorUsage',
    'DashboardsUsageHour',
    'Scheduler-Invocations',
  ],
};

/** Returns the cost in USD of a million operations, without volume discounts. `use` is the use of one operation. */
const ofMillion = (use: Use, charges?: Charge[]) => costOfUse(use, charges) * million;

const columns = ['writes', 'of the index', 'reads', 'calls', 'ms', 'bytes'];
const priced = [
  'writes',
  'writes of the index',
  'reads',
  'functions',
  'API requests',
  'queues',
  'logs',
  'data out',
];

function lineOf({ name, units, calls, ms, stored, use }: MeasuredUse): string[] {
  const { tableWrites, indexWrites, reads } = units;
  const bytes = Math.round(stored.table + stored.index);
  const costs = priced.map((kind) => usd(ofMillion(use, kinds[kind])));
  const taken = [tableWrites, indexWrites, reads].map(short);
  return [
    name,
    ...taken,
    String(calls.length),
    short(ms < 1 ? ms : Math.round(ms)),
    String(bytes),
    ...costs,
    usd(ofMillion(use)),
  ];
}

async function operations(size: number): Promise<Measured> {
  const measured = await measureAllOnce(size);
  const { use } = measured.get('a credit')!;
  const lines = [
    ['', ...columns, ...priced.map((kind) => `$ ${kind}`), '$ in all'],
    ...[...measured.values()].map(lineOf),
  ];
  const title = 'Use of one, and cost of a million';
  return { value: ofMillion(use), detail: '', tables: [{ title, lines }] };
}

async function idle(size: number): Promise<Measured> {
  const parts = idleParts(await measureAllOnce(size));
  const lines = parts.map(({ what, use }) => [what, usd(costOfUse(use))]);
  const all = costOfUse(sumOf(...parts.map(({ use }) => ({ times: 1, use }))));
  return {
    value: all,
    detail: '',
    tables: [{ title: 'An unused stage', lines: [['', '$ a month'], ...lines] }],
  };
}

type Month = { name: string; users: number; plays: number; use: Use };

/** Returns a month's use of AWS for several numbers of users and years, including an idle stage's use. */
async function allMonths(size: number): Promise<Month[]> {
  const measured = await measureAllOnce(size);
  const idle = idleParts(measured).map(({ use }) => ({ times: 1, use }));
  const month = (name: string, users: number, years = 1) => {
    const { plays, use } = monthOf(measured, users, years);
    return { name, users, plays, use: sumOf({ times: 1, use }, ...idle) };
  };
  const inIa = (one: Month) => ({ ...one, name: `${one.name}, Standard-IA`, use: infrequentAccess(one.use) });
  const million = [month('1 million', 1e6), month('1 million, third year', 1e6, 3)];
  return [month('1 thousand', 1e3), ...million.flatMap((one) => [one, inIa(one)]), month('50 million', 50e6)];
}

async function months(size: number): Promise<Measured> {
  const all = await allMonths(size);
  const line = (what: string, value: (one: Month) => number, show = usd) => [
    what,
    ...all.map((one) => show(value(one))),
  ];
  const ofPlays = ({ use, plays }: Month) => (costOfUse(use) * million) / plays;
  const lines = [
    ['$ a month', ...all.map(({ name }) => name)],
    ...Object.entries(kinds).map(([kind, charges]) => line(kind, ({ use }) => costOfUse(use, charges))),
    line('in all', ({ use }) => costOfUse(use)),
    line('for each user', ofUser, (value) => value.toFixed(5)),
    line('for a million plays', ofPlays),
  ];
  const shares = operationsPerPlay({ inBatches: true }).map(({ name, times }) => `${short(times)} × ${name}`);
  const title = `Users who play ${playsPerDay} times a day, at the end of their first or third year`;
  return {
    value: ofPlays(all[1]!),
    detail: `a play is ${shares.join(', ')}; and a balance each day`,
    tables: [{ title, lines }],
  };
}
const ofUser = ({ use, users }: Month) => costOfUse(use) / users;

const row = (name: string, what: string, unit: string, measure: Row['measure']): Row => ({
  name: `cost-${name}`,
  what: `${what}, at the list prices of ${copiedOn}`,
  floor: '',
  ...(unit && { unit: ` ${unit}` }),
  measure,
});

export const rows: Row[] = [
  row('operations', 'a million credits', 'USD', operations),
  row('idle', 'an unused stage', 'USD a month', idle),
  row('month', 'a million plays, with a million users', 'USD', months),
];
