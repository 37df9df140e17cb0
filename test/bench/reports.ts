import { newId } from '../../shared/ids.ts';
import { extendFences } from '../../shared/reports/extend-fences.ts';
import { measurePage, writeReportRows } from './report-rows.ts';
import type { Row } from './row.ts';
import { useTable } from './table.ts';

const count = 20_000;
let written: Promise<[string, 'tickets']> | undefined;

/** As many rows as are written in some seconds; `million-rows.ts` has the others. */
function organization(): Promise<[string, 'tickets']> {
  written ??= (async () => {
    await useTable();
    const now = Date.now();
    const organizationId = newId('org', now);
    await writeReportRows({ organizationId, count, from: now - 30 * 86_400_000, to: now - 120_000 });
    while (!(await extendFences({ organizationId, report: 'tickets' }, now))) {
      // One write was not enough for all of them.
    }
    return [organizationId, 'tickets'];
  })();
  return written;
}

const lastPage = { page: count / 1000 - 1 };

export const rows: Row[] = [
  {
    name: 'report-last-page-time',
    what: 'last page of a report ÷ its first page, time',
    floor: 'first page',
    target: { atMost: 1.1 },
    measure: async () => {
      const report = await organization();
      const first = await measurePage(report, {}, 21);
      const last = await measurePage(report, lastPage, 21);
      return { value: last.ms / first.ms, detail: `${last.ms} ms, ${first.ms} ms, of ${count} rows` };
    },
  },
  {
    name: 'report-last-page-units',
    what: 'last page of a report ÷ its first page, read units',
    floor: 'first page',
    target: { atMost: 1.1 },
    measure: async () => {
      const report = await organization();
      const first = await measurePage(report, {}, 1);
      const last = await measurePage(report, lastPage, 1);
      return { value: last.units / first.units, detail: `${last.units}, ${first.units}, of ${count} rows` };
    },
  },
  {
    name: 'report-page-units',
    what: 'read units of a report page ÷ those of its rows alone',
    floor: 'its rows',
    target: { atMost: 1.4 },
    measure: async () => {
      const report = await organization();
      const { units, ratio, ...page } = await measurePage(report, lastPage, 1);
      const detail = `${units} for ${page['units of its rows']}, ${page['round trips']} round trips`;
      return { value: ratio, detail };
    },
  },
];
