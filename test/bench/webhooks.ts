import { median, type Pairs, type Row, ratioOf } from './row.ts';
import { startProcess } from './webhook-process.ts';

type Measures = { tellings: number[]; rates: Pairs; sqsRequests: number };
type Faults = {
  events: number;
  lost: number;
  duplicates: number;
  calls: number;
  failed: number;
  parked: number;
  seconds: number;
};

let measures: Promise<Measures> | undefined;

/** Runs a file of this folder, and returns its JSON output. */
async function figuresOf<T>(file: string, ...args: string[]): Promise<T> {
  const child = startProcess(file, args);
  for (;;) {
    const line = await child.next();
    if (/^\{"(tellings|events)"/.test(line)) return JSON.parse(line);
  }
}
const measured = () => {
  measures ??= figuresOf<Measures>('webhook-measures.ts');
  return measures;
};

export const rows: Row[] = [
  {
    name: 'webhook-told',
    what: 'seconds from a commit to the call of a webhook, 19 of 20',
    floor: '0',
    target: { atMost: 2 },
    unit: ' s',
    measure: async () => {
      const tellings = (await measured()).tellings.toSorted((a, b) => a - b);
      return { value: tellings.at(-2)! / 1000, detail: `median ${Math.round(median(tellings))} ms` };
    },
  },
  {
    name: 'webhook-deliveries',
    what: 'deliveries per second ÷ signed POSTs alone, 40 at once, a receiver that takes 100 ms',
    floor: '1',
    target: { atLeast: 0.7 },
    measure: async () => {
      const { rates } = await measured();
      const { value, spread } = ratioOf(rates);
      const [sent, raw] = [Math.round(median(rates.ours)), Math.round(median(rates.floor))];
      return { value, detail: `${spread}, ${sent} ÷ ${raw} per second` };
    },
  },
  {
    name: 'webhook-sqs',
    what: 'requests to SQS for each delivery, in full batches',
    floor: '0.3',
    target: { atMost: 0.3 },
    measure: async () => ({
      value: (await measured()).sqsRequests,
      detail: 'sent by ten, received and deleted by ten',
    }),
  },
  {
    name: 'webhook-faults',
    what: 'events lost, with a receiver that fails a third of the time',
    floor: '0',
    target: { atMost: 0 },
    measure: async () => {
      const figures = await figuresOf<Faults>('webhook-faults.ts', process.env.BENCH_EVENTS ?? '1000');
      const { events, lost, duplicates, calls, failed, parked, seconds } = figures;
      const detail = `${events} events, ${calls} calls, ${failed} failed, ${parked} parked and sent again, ${duplicates} duplicates, ${Math.round(seconds)} s`;
      return { value: lost, detail };
    },
  },
];
