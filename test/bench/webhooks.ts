import { startProcess } from '../support/line-process.ts';
import { median, type Pairs, type Row, ratioOf } from './row.ts';

type Measures = { latencies: number[]; rates: Pairs };
let measures: Promise<Measures> | undefined;

/** Runs `webhook-measures.ts` at the first call. Later calls return the same figures. */
function measured(size: number): Promise<Measures> {
  measures ??= measure(size);
  return measures;
}

async function measure(size: number): Promise<Measures> {
  const child = startProcess('bench/webhook-measures.ts', [String(size)]);
  for (;;) {
    const line = await child.next();
    if (line.startsWith('{"latencies"')) return JSON.parse(line);
  }
}

export const rows: Row[] = [
  {
    name: 'webhook-latency',
    what: 'seconds from a commit to its webhook call, 95th percentile',
    floor: '0',
    target: { atMost: 2 },
    unit: ' s',
    measure: async (size) => {
      const latencies = (await measured(size)).latencies.toSorted((a, b) => a - b);
      return {
        value: latencies[Math.ceil(0.95 * latencies.length) - 1]! / 1000,
        detail: `median ${Math.round(median(latencies))} ms`,
      };
    },
  },
  {
    name: 'webhook-deliveries',
    what: 'deliveries per second ÷ signed POSTs alone, 40 concurrent, to a receiver that takes 100 ms',
    floor: '1',
    target: { atLeast: 0.7 },
    measure: async (size) => {
      const { rates } = await measured(size);
      const { value, spread } = ratioOf(rates);
      const [sent, raw] = [Math.round(median(rates.ours)), Math.round(median(rates.floor))];
      return { value, detail: `${spread}, ${sent} ÷ ${raw} per second` };
    },
  },
];
