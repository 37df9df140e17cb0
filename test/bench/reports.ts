import { newId } from '../../shared/ids.ts';
import { client } from '../../shared/table/client.ts';
import { type EndpointName, invoke } from '../support/invoke.ts';
import { type LargeRange, largeReport } from './large-report.ts';
import { metered } from './meter.ts';
import { indexAll, measurePage, writeReportRows } from './report-rows.ts';
import { median, type Row, ratioOf, scaled, scaledTurns, timedByTurns } from './row.ts';
import { useTable } from './table.ts';

/** A ticket report of several pages of `pageSize` rows. */
type Written = { organizationId: string; pageSize: number };
const pages = 6;
let written: Promise<Written> | undefined;

/** Returns an organization with a ticket report. The first call writes its rows, which takes seconds. */
function organization(size: number): Promise<Written> {
  written ??= writeOrganization(scaled(1000, size, 100));
  return written;
}

async function writeOrganization(pageSize: number): Promise<Written> {
  await useTable();
  const now = Date.now();
  const organizationId = newId('org', now);
  const count = pages * pageSize;
  await writeReportRows({ organizationId, count, from: now - monthMs, to: now - 120_000 });
  await indexAll({ organizationId, report: 'tickets' }, now);
  return { organizationId, pageSize };
}

const dayMs = 86_400_000;
const monthMs = 30 * dayMs;
const turns = { turns: 12, warmUp: 2 };

/** Measures pages of a tenth of the usual size in a time range. Returns the rows of the result table. */
async function smallPages({ organizationId, pageSize }: Written, range: string, asked: object) {
  const lines: string[][] = [];
  for (const page of [0, 24, 51]) {
    const query = { ...asked, page_size: pageSize / 10, page };
    const { units, ratio, ...rest } = await measurePage([organizationId, 'tickets'], query, 1);
    lines.push([String(page), range, ...[units, rest['units of its rows'], ratio].map(String)]);
  }
  return lines;
}

/** Returns a function that sends a request, and notes the DynamoDB calls of a response with `rows` rows in `seen`. */
const asking = (name: EndpointName, organizationId: string, query: Record<string, string>, rows: number) => {
  const seen: string[] = [];
  return {
    seen,
    prepare: async () => async () => {
      const meter = metered(client);
      const { status, body } = await invoke(name, { organizationId, query });
      const { units, ...calls } = meter.stop();
      const found = (body.events ?? body.transactions)?.length;
      if (found !== rows) throw new Error(`${name} answered ${status} with ${found} rows`);
      seen[0] = `${units} read units and ${calls['round trips']} round trips`;
    },
  };
};

export const rows: Row[] = [
  {
    name: 'report-last-page-time',
    what: 'last page of a report ÷ its first page, time',
    floor: 'first page',
    target: { atMost: 1.1 },
    measure: async (size) => {
      const { organizationId, pageSize } = await organization(size);
      const page = (number: number) =>
        asking(
          'reports/tickets',
          organizationId,
          { page: String(number), page_size: String(pageSize) },
          pageSize,
        );
      const [last, first] = [page(pages - 1), page(0)];
      const times = await timedByTurns(
        { ours: last.prepare, floor: first.prepare },
        scaledTurns(turns, size),
      );
      const { value, spread } = ratioOf(times);
      const ms = `${median(times.ours).toFixed(0)} ms ÷ ${median(times.floor).toFixed(0)} ms`;
      return { value, detail: `${spread}, ${ms}; ${last.seen} ÷ ${first.seen}` };
    },
  },
  {
    name: 'events-page-time',
    what: 'page of GET /events ÷ page of a report of the same records, time',
    floor: 'page of a report',
    measure: async (size) => {
      const { organizationId, pageSize } = await organization(size);
      const events = asking('events/list', organizationId, { limit: String(pageSize) }, pageSize);
      const query = { page: '0', page_size: String(pageSize) };
      const report = asking('reports/tickets', organizationId, query, pageSize);
      const times = await timedByTurns(
        { ours: events.prepare, floor: report.prepare },
        scaledTurns(turns, size),
      );
      const { value, spread } = ratioOf(times);
      const ms = `${median(times.ours).toFixed(0)} ms ÷ ${median(times.floor).toFixed(0)} ms`;
      return { value, detail: `${spread}, ${ms}; ${events.seen} ÷ ${report.seen}` };
    },
  },
  {
    name: 'report-page-units',
    what: 'read units of a report page ÷ those of its rows alone',
    floor: 'its rows',
    target: { atMost: 1.4 },
    measure: async (size) => {
      const report = await organization(size);
      const asked = { page: pages - 1, page_size: report.pageSize };
      const { units, ratio, ...page } = await measurePage([report.organizationId, 'tickets'], asked, 1);
      const detail = `${units} for ${page['units of its rows']}, ${page['round trips']} round trips`;
      const now = Date.now();
      const ended = { start: now - 29 * dayMs, end: now - 2 * dayMs };
      const lines = [
        ['page', 'range', 'read units', 'of its rows', 'ratio'],
        ...(await smallPages(report, 'ended', ended)),
        ...(await smallPages(report, 'open', {})),
      ];
      const title = `pages of ${report.pageSize / 10} rows of ${pages * report.pageSize}`;
      return { value: ratio, detail, tables: [{ title, lines }] };
    },
  },
  {
    name: 'report-billions-units',
    what: 'read units of a page of 164 billion synthesized rows ÷ those of its rows alone, worst of six pages',
    floor: 'its rows',
    target: { atMost: 1.4 },
    isExact: true,
    measure: async (size) => {
      await useTable();
      const pages = await largePages(size);
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

/** Measures the first, middle and last page of two time ranges in the simulated report of 164 billion rows. */
async function largePages(size: number) {
  const { organizationId, range, page: ready } = await largeReport();
  const ranges: [string, () => Promise<LargeRange>][] = [
    ['a day', () => range(500.3, 501.3)],
    ['three years', () => range(0.4, 1095.4)],
  ];
  const pages = [];
  for (const [name, write] of ranges.slice(0, scaled(ranges.length, size))) {
    const { start, end, from, to } = await write();
    const count = Math.ceil((to - from) / 1000);
    const places = [
      ['first', 0],
      ['middle', Math.floor(count * 0.4)],
      ['last full', count - 2],
    ] as const;
    for (const [which, page] of places.slice(0, scaled(places.length, size))) {
      await ready({ start, end, from, to }, page);
      const measured = await measurePage([organizationId, 'tickets'], { start, end, page }, 1);
      if (measured.total !== to - from) throw new Error(`${measured.total} rows instead of ${to - from}`);
      pages.push({ name: `${name}, ${which}`, ...measured });
    }
  }
  return pages;
}
