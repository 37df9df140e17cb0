import { startProcess } from '../support/line-process.ts';
import { median, type Pairs, type Row, ratioOf } from './row.ts';

async function measure(size: number): Promise<Pairs> {
  const child = startProcess('bench/webhook-measures.ts', [String(size)]);
  for (;;) {
    const line = await child.next();
    if (line.startsWith('{"ours"')) return JSON.parse(line);
  }
}

export const rows: Row[] = [
  {
    name: 'webhook-deliveries',
    what: 'deliveries per second ÷ signed POSTs alone, 40 concurrent, to a receiver that takes 100 ms',
    floor: '1',
    target: { atLeast: 0.7 },
    measure: async (size) => {
      const rates = await measure(size);
      const { value, spread } = ratioOf(rates);
      const [sent, raw] = [Math.round(median(rates.ours)), Math.round(median(rates.floor))];
      return { value, detail: `${spread}, ${sent} ÷ ${raw} per second` };
    },
  },
];
