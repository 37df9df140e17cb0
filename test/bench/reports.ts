import { newId } from '../../shared/ids.ts';
import { type LargeRange, largeReport } from './large-report.ts';
import { indexAll, measurePage, writeReportRows } from './report-rows.ts';
import type { Row } from './row.ts';
import { useTable } from './table.ts';

const count = 20_000;
let written: Promise<[string, 'tickets']> | undefined;

/**
 * Returns an organization whose ticket report has 20,000 rows. The first call writes these rows, which takes seconds.
 */
function organization(): Promise<[string, 'tickets']> {
  written ??= writeOrganization();
  return written;
}

async function writeOrganization(): Promise<[string, 'tickets']> {
  await useTable();
  const now = Date.now();
  const organizationId = newId('org', now);
  await writeReportRows({ organizationId, count, from: now - monthMs, to: now - 120_000 });
  await indexAll({ organizationId, report: 'tickets' }, now);
  return [organizationId, 'tickets'];
}

const dayMs = 86_400_000;
const monthMs = 30 * dayMs;
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
      const now = Date.now();
      const ended = { start: now - 29 * dayMs, end: now - 2 * dayMs };
      const lines = [
        ['page of 100 rows', 'range', 'read units', 'of its rows', 'ratio'],
        ...(await smallPages(report, 'ended', ended)),
        ...(await smallPages(report, 'open', {})),
      ];
      return { value: ratio, detail, tables: [{ title: 'pages of 100 rows of 20,000', lines }] };
    },
  },
  {
    name: 'report-billions-units',
    what: 'read units of a page of 164 billion synthesized rows ÷ those of its rows alone, worst of six pages',
    floor: 'its rows',
    target: { atMost: 1.4 },
    measure: async () => {
      await useTable();
      const pages = await largePages();
      const lines = pages.map(({ name, ratio, units, ...page }) =>
        [name, page['round trips'], units, ratio].map(String),
      );
      const worst = Math.max(...pages.map(({ ratio }) => ratio));
      const trips = Math.max(...pages.map((page) => page['round trips']));
      const title = 'pages of 1,000 rows of 164 billion';
      return {
        value: worst,
        detail: `${trips} round trips at most`,
        tables: [{ title, lines: [['page', 'round trips', 'read units', 'ratio'], ...lines] }],
      };
    },
  },
];

/** Measures pages of 100 rows in a time range of a report. Returns the rows of the result table. */
async function smallPages(
  report: [string, 'tickets'],
  range: string,
  asked: { start?: number; end?: number },
) {
  const lines: string[][] = [];
  for (const page of [0, 80, 170]) {
    const { units, ratio, ...rest } = await measurePage(report, { ...asked, page_size: 100, page }, 1);
    lines.push([String(page), range, ...[units, rest['units of its rows'], ratio].map(String)]);
  }
  return lines;
}

/** Measures the first, middle and last page of two time ranges in the simulated report of 164 billion rows. */
async function largePages() {
  const { organizationId, range, page: ready } = await largeReport();
  const ranges: [string, LargeRange][] = [
    ['a day', await range(500.3, 501.3)],
    ['three years', await range(0.4, 1095.4)],
  ];
  const pages = [];
  for (const [name, { start, end, from, to }] of ranges) {
    const count = Math.ceil((to - from) / 1000);
    for (const [which, page] of [
      ['first', 0],
      ['middle', Math.floor(count * 0.4)],
      ['last full', count - 2],
    ] as const) {
      await ready({ start, end, from, to }, page);
      const measured = await measurePage([organizationId, 'tickets'], { start, end, page }, 1);
      if (measured.total !== to - from) throw new Error(`${measured.total} rows instead of ${to - from}`);
      pages.push({ name: `${name}, ${which}`, ...measured });
    }
  }
  return pages;
}
