/**
 * Measures how long closing a day's book takes: `node infra/node24.mjs test/bench/closing.ts [records]`. Closes the
 * book in one step, then in several, and checks it as the service does. Writing the records first takes minutes.
 */

import { createOrganization } from '../../shared/actions/create-organization.ts';
import { checkAllBooks } from '../../shared/books/check-all.ts';
import { closeBook } from '../../shared/books/close.ts';
import { readBook } from '../../shared/books/stored-books.ts';
import { bookKey, closingKey } from '../../shared/table/book-keys.ts';
import { transact } from '../../shared/table/client.ts';
import { startOfDay } from '../../shared/time.ts';
import { writeReportRows } from './report-rows.ts';
import { stopTable, useTable } from './table.ts';

const records = Number(process.argv[2] ?? 1_000_000);
const day = '2026-03-10';
const hour = 3_600_000;
const mb = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;

/** Runs `work`. Prints its time, CPU time and peak memory, and how many records per second it processes. */
async function measured(what: string, work: () => Promise<unknown>) {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let maxMemory = before;
  const watch = setInterval(() => {
    maxMemory = Math.max(maxMemory, process.memoryUsage().rss);
  }, 50);
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(watch);
  console.log(
    `${what}: ${seconds.toFixed(1)} s, ${Math.round(records / seconds)} records/s, ` +
      `${((user + system) / 1e6).toFixed(1)} s of CPU, memory ${mb(before)} before, ${mb(maxMemory)} at most`,
  );
}

await useTable();
const start = startOfDay(day);
const context = { operator: 'bench', now: start };
const { organization_id: organizationId } = await createOrganization('Bench', 'local', context);
await writeReportRows({
  organizationId,
  count: records,
  from: start + hour,
  to: start + 23 * hour,
  progress: (done) => process.stderr.write(`\r${done} of ${records} records`),
});
console.log();
await measured('in one go', () => closeBook(organizationId, day, undefined, () => true));
const book = await readBook(organizationId, day);
const forget = [bookKey(organizationId, day), closingKey(organizationId, day)];
await transact(Object.fromEntries(forget.map(({ pk, sk }, i) => [`${i}`, { Delete: { Key: { pk, sk } } }])));
let pieces = 1;
await measured('in pieces', async () => {
  while (!(await closeBook(organizationId, day, undefined, () => false))) pieces++;
});
const again = await readBook(organizationId, day);
if (again?.note !== book?.note) throw new Error('it is another book');
await measured('checked', () => checkAllBooks(start + 48 * hour, () => 900_000));
console.log(`${pieces} pieces came to the same book, of ${book?.book.size} records`);
await stopTable();
