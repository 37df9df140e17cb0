import { median, type Pairs, type Row, ratioOf } from './row.ts';
import { startProcess } from './webhook-process.ts';

type Measures = { latencies: number[]; rates: Pairs; sqsRequests: number };
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

/** Runs a script of this folder. Returns the JSON that it prints. */
async function figuresOf<T>(file: string, ...args: string[]): Promise<T> {
  const child = startProcess(file, args);
  for (;;) {
    const line = await child.next();
    if (/^\{"(latencies|events)"/.test(line)) return JSON.parse(line);
  }
}
const measured = () => {
  measures ??= figuresOf<Measures>('webhook-measures.ts');
  return measures;
};

export const rows: Row[] = [
  {
    name: 'webhook-latency',
    what: 'seconds from a commit to its webhook call, 95th percentile',
    floor: '0',
    target: { atMost: 2 },
    unit: ' s',
    measure: async () => {
      const latencies = (await measured()).latencies.toSorted((a, b) => a - b);
      return { value: latencies.at(-2)! / 1000, detail: `median ${Math.round(median(latencies))} ms` };
    },
  },
  {
    name: 'webhook-deliveries',
    what: 'deliveries per second ÷ signed POSTs alone, 40 concurrent, to a receiver that takes 100 ms',
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
    what: 'lost events when the receiver fails a third of its calls',
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
