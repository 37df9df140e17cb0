/**
 * Measures a report's pages in a million rows, and a report function's memory:
 * `node infra/node24.mjs test/bench/million-rows.ts [rows]`.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleForLambda } from '../../infra/deploy/bundle.ts';
import { newId } from '../../shared/ids.ts';
import { indexAll, measurePage, type Plan, writeReportRows } from './report-rows.ts';
import { stopTable, useTable } from './table.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const now = Date.now();
const day = 86_400_000;
const monthAgo = now - 30 * day;
const threeYearsAgo = now - 1095 * day;
const dense = newId('org', now);
const sparse = newId('org', now);
const mixed = newId('org', now);

const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const started = performance.now();
  const result = await work();
  console.log(`${what} in ${Math.round((performance.now() - started) / 1000)} s`);
  return result;
};
const write = (plan: Omit<Plan, 'to' | 'progress'>) => {
  const progress = (done: number) => process.stderr.write(`\r${done} of ${plan.count} rows`);
  return timed(`\n${plan.count} rows written`, () =>
    writeReportRows({ ...plan, to: now - 120_000, progress }),
  );
};

await useTable();
const [heavyUser] = await write({ organizationId: dense, count: rows, from: monthAgo });
await write({ organizationId: sparse, count: 1095 * 50, from: threeYearsAgo });
const oneInAHundred = (i: number) => (i % 100 === 7 ? 'flight' : 'truck');
await write({ organizationId: mixed, count: rows / 10, from: monthAgo, account: oneInAHundred });
await timed('all rows indexed', async () => {
  await indexAll({ organizationId: dense, report: 'tickets' }, now);
  await indexAll({ organizationId: sparse, report: 'tickets' }, now);
  for (const report of ['entries', 'entries#truck', 'entries#flight'] as const) {
    await indexAll({ organizationId: mixed, report }, now);
  }
});

const pages = rows / 1000;
const part = (share: number) => Math.floor(pages * share);
const range = (share: number, days: number) => {
  const start = Math.round(monthAgo + share * (now - monthAgo)) + 17;
  return { start, end: start + days * day };
};
const threeYears = { start: threeYearsAgo, end: now };
const tickets: [string, 'tickets'] = [dense, 'tickets'];
const few: [string, 'tickets'] = [sparse, 'tickets'];
const entries: [string, 'entries'] = [mixed, 'entries'];
const user_id = heavyUser!;
const table = {
  'all rows, page 0': await measurePage(tickets, {}),
  'the middle page': await measurePage(tickets, { page: part(0.5) }),
  'the last page': await measurePage(tickets, { page: pages - 1 }),
  'page 0 of 10,000 rows': await measurePage(tickets, { page_size: 10_000 }),
  'the last page of 10,000 rows': await measurePage(tickets, { page_size: 10_000, page: pages / 10 - 1 }),
  'a page of 100 rows': await measurePage(tickets, { page_size: 100, page: part(4) + 3 }),
  'a page of 100 rows of ten days': await measurePage(tickets, {
    ...range(0.2, 10),
    page_size: 100,
    page: part(1) + 3,
  }),
  'a day, page 0': await measurePage(tickets, range(0.5, 1)),
  'a day, in the middle': await measurePage(tickets, { ...range(0.5, 1), page: part(1 / 60) }),
  'ten days, in the middle': await measurePage(tickets, { ...range(0.2, 10), page: part(1 / 6) }),
  'three years of 50 a day, page 0': await measurePage(few, threeYears),
  'three years, the middle page': await measurePage(few, { ...threeYears, page: 27 }),
  'three years, the last full page': await measurePage(few, { ...threeYears, page: 53 }),
  'entries of all types, in the middle': await measurePage(entries, { page: part(1 / 20) }),
  'entries, flight, one in a hundred': await measurePage(entries, { entry_type: 'flight' }),
  'entries, truck, in the middle': await measurePage(entries, { entry_type: 'truck', page: part(1 / 20) }),
  "a user's rows, page 0": await measurePage(tickets, { user_id }),
  "a user's rows, the last page": await measurePage(tickets, { user_id, page: part(1 / 5) - 1 }),
  "a user's ten days, in the middle": await measurePage(tickets, {
    user_id,
    ...range(0.3, 10),
    page: part(1 / 30),
  }),
};
console.table(table);

const folder = mkdtempSync(join(tmpdir(), 'million-rows-'));
await bundleForLambda(folder, ['reports/tickets']);
const child = join(import.meta.dirname, 'report-memory.mjs');
const bundle = join(folder, 'reports/tickets/index.js');
console.log(execFileSync(process.execPath, [child, bundle, dense], { encoding: 'utf8' }).trim());
rmSync(folder, { recursive: true });
await stopTable();
