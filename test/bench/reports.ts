import { newId } from '../../shared/ids.ts';
import { invoke } from '../support/invoke.ts';
import { indexAll, writeReportRows } from './report-rows.ts';
import { median, type Row, scaled } from './row.ts';
import { useTable } from './table.ts';

const dayMs = 86_400_000;

/** Returns the CPU of a request for a page of `count` tickets, with its SDK calls, in milliseconds over all threads. */
async function pageCpu(count: number, size: number): Promise<number> {
  await useTable();
  const now = Date.now();
  const organizationId = newId('org', now);
  await writeReportRows({ organizationId, count: 2 * count, from: now - 30 * dayMs, to: now - 120_000 });
  await indexAll({ organizationId, report: 'tickets' }, now);
  const samples: number[] = [];
  const warmUp = scaled(5, size);
  for (let turn = -warmUp; turn < scaled(15, size); turn++) {
    const before = process.cpuUsage();
    const query = { page: '1', page_size: String(count) };
    const { status, body } = await invoke('reports/tickets', { organizationId, query });
    const { user, system } = process.cpuUsage(before);
    if (body.transactions?.length !== count) throw new Error(`reports/tickets answered ${status}`);
    if (turn >= 0) samples.push((user + system) / 1000);
  }
  return median(samples);
}

export const rows: Row[] = [
  {
    name: 'report-cpu',
    what: 'CPU of a page of 800 rows of a report, with its SDK calls',
    floor: '0 ms',
    unit: ' ms',
    measure: async (size) => ({ value: await pageCpu(scaled(800, size, 100), size), detail: '' }),
  },
];
