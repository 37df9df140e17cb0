/**
 * Measures reports on a million rows: `node test/bench/million-rows.ts [rows]`. Writes them straight into a
 * DynamoDB Local of its own (some minutes), seals them, and prints for each page its time, requests, round trips
 * and read units, beside the read units of its rows alone.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { bundleForLambda } from '../../infra/bundle.ts';
import { createTable, startDynamodb } from '../../infra/local/dynamodb.ts';
import type { RecordKind } from '../../shared/table/keys.ts';
import { fastUlid, metered, rowUnits } from './meter.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'million-rows-'));
const dynamodb = await startDynamodb();
Object.assign(process.env, {
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  TABLE_NAME: 'million-rows',
  STAGE: 'local',
});
await createTable(new DynamoDBClient({}), 'million-rows');

const { client } = await import('../../shared/table/client.ts');
const { newId } = await import('../../shared/ids.ts');
const { reportPage } = await import('../../shared/reports.ts');
const { seal } = await import('../../shared/sealing.ts');
const { milestonesOf } = await import('../../shared/records.ts');
const { recordKey, recordTimeKey } = await import('../../shared/table/keys.ts');
const { transactionOf, userOf, writeItems } = await import('../support/records.ts');

const now = Date.now();
const day = 86_400_000;
type Plan = {
  organizationId: string;
  count: number;
  from: number;
  to: number;
  account: (i: number) => 'tickets' | 'truck' | 'flight';
};

/** Writes records spread evenly over a time, every fifth of them of one user, the others of a thousand. */
async function fill({ organizationId, count, from, to, account }: Plan): Promise<string> {
  const users = Array.from({ length: 1001 }, () => newId('usr', from));
  const counts = users.map(() => ({ all: 0, truck: 0, flight: 0 }));
  const user = userOf(organizationId, users[0]!);
  const samples = {
    tickets: (await transactionOf(user, 'tickets', from, 'Welcome bonus for a new account')).record,
    truck: (await transactionOf(user, 'truck', from, 'Welcome bonus for a new account')).record,
    flight: (await transactionOf(user, 'flight', from, 'Welcome bonus for a new account')).record,
  };
  const rowAt = (i: number) => {
    const ulid = fastUlid(Math.floor(from + ((to - from) * i) / count));
    const nth = i % 5 === 0 ? 0 : 1 + (i % 1000);
    const of = account(i);
    const list = of === 'tickets' ? ('tickets' as const) : (`entries#${of}` as const);
    const number = ++counts[nth]!.all;
    const number_of_type = of === 'tickets' ? undefined : ++counts[nth]![of];
    return {
      ...samples[of],
      ...recordKey(organizationId, users[nth]!, list, ulid),
      ...recordTimeKey(organizationId, list, ulid),
      user_id: users[nth]!,
      external_reference: `host-user-${users[nth]}`,
      transaction_id: `txn_${ulid}`,
      idempotency_key: `bonus-${organizationId}-${i}`,
      number,
      ...(number_of_type === undefined ? {} : { number_of_type }),
    };
  };
  for (let i = 0; i < count; i += 25_000) {
    const some = Array.from({ length: Math.min(25_000, count - i) }, (_, j) => rowAt(i + j));
    await writeItems(some.flatMap((row) => [row, ...milestonesOf(row as never)]));
    process.stderr.write(`\r${i + some.length} rows of ${count}`);
  }
  process.stderr.write('\n');
  return users[0]!;
}

const organization = { dense: newId('org', now), sparse: newId('org', now), mixed: newId('org', now) };
const monthAgo = now - 30 * day;
const threeYearsAgo = now - 1095 * day;
const started = performance.now();
const heavyUser = await fill({
  organizationId: organization.dense,
  count: rows,
  from: monthAgo,
  to: now - 120_000,
  account: () => 'tickets',
});
await fill({
  organizationId: organization.sparse,
  count: 1095 * 50,
  from: threeYearsAgo,
  to: now - 120_000,
  account: () => 'tickets',
});
await fill({
  organizationId: organization.mixed,
  count: rows / 10,
  from: monthAgo,
  to: now - 120_000,
  account: (i) => (i % 100 === 7 ? 'flight' : 'truck'),
});
console.log(`written in ${Math.round((performance.now() - started) / 1000)} s`);

const sealed = performance.now();
for (const [organizationId, report] of [
  [organization.dense, 'tickets'],
  [organization.sparse, 'tickets'],
  [organization.mixed, 'entries'],
] as [string, RecordKind][]) {
  while (!(await seal({ organizationId, report }, now))) {}
}
console.log(`sealed in ${Math.round((performance.now() - sealed) / 1000)} s`);

type Asked = Parameters<typeof reportPage>[2];
const table: Record<string, object> = {};

/** The middle one of several measurements of a page. */
async function measure(title: string, organizationId: string, report: RecordKind, asked: Partial<Asked>) {
  const query = { page: 0, page_size: 1000, ...asked };
  const fields = ['transaction_id', 'amount', 'description', 'idempotency_key', 'user_id', 'date_created'];
  const runs = [];
  for (let i = 0; i < 7; i++) {
    const meter = metered(client);
    const { paging, rows: found } = await reportPage(organizationId, report, query, fields);
    runs.push({ ...meter.stop(), total: paging.total_count, found: found.length });
  }
  const { ms, ...rest } = runs.sort((a, b) => a.ms - b.ms)[3]!;
  const own = rowUnits(sampleOf(report), rest.found);
  table[title] = {
    ms: Math.round(ms),
    ...rest,
    'units of its rows': own,
    ratio: Number((rest.units / own).toFixed(2)),
  };
}

const samples = new Map<string, number>();
const sampleOf = (report: RecordKind) => samples.get(report)!;
for (const [organizationId, report] of [
  [organization.dense, 'tickets'],
  [organization.mixed, 'entries#truck'],
] as const) {
  const { readSpan, organizationList, everything } = await import('../../shared/record-lists.ts');
  const { itemBytes } = await import('./meter.ts');
  const some = await readSpan(organizationList(organizationId, report), everything, { limit: 500 });
  const bytes = some.reduce((sum, item) => sum + itemBytes(item), 0) / some.length;
  samples.set(report.split('#')[0]!, bytes);
  console.log(`a row of ${report}: ${Math.round(bytes)} bytes`);
}

const pages = rows / 1000;
const { dense, sparse, mixed } = organization;
const at = (part: number) => Math.round(monthAgo + part * (now - monthAgo)) + 17;
await measure('a million rows, page 0', dense, 'tickets', {});
await measure('the middle page', dense, 'tickets', { page: pages / 2 });
await measure('the last page', dense, 'tickets', { page: pages - 1 });
await measure('page 0 of 10,000 rows', dense, 'tickets', { page_size: 10_000 });
await measure('last page of 10,000 rows', dense, 'tickets', { page_size: 10_000, page: pages / 10 - 1 });
await measure('a page of 100 rows', dense, 'tickets', { page_size: 100, page: pages * 4 + 3 });
await measure('a day, page 0', dense, 'tickets', { start: at(0.5), end: at(0.5) + day });
await measure('a day, a page in the middle', dense, 'tickets', {
  start: at(0.5),
  end: at(0.5) + day,
  page: (pages / 60) | 0,
});
await measure('ten days, a page in the middle', dense, 'tickets', {
  start: at(0.2),
  end: at(0.2) + 10 * day,
  page: (pages / 6) | 0,
});
await measure('three years at 50 a day, page 0', sparse, 'tickets', { start: threeYearsAgo, end: now });
await measure('its middle page', sparse, 'tickets', { start: threeYearsAgo, end: now, page: 27 });
await measure('its last full page', sparse, 'tickets', { start: threeYearsAgo, end: now, page: 53 });
await measure('entries, all types, in the middle', mixed, 'entries', { page: (pages / 20) | 0 });
await measure('entries, flight (1 in 100)', mixed, 'entries', { entry_type: 'flight' });
await measure('entries, truck, in the middle', mixed, 'entries', {
  entry_type: 'truck',
  page: (pages / 20) | 0,
});
await measure('one user, page 0', dense, 'tickets', { user_id: heavyUser });
await measure('one user, the last page', dense, 'tickets', { user_id: heavyUser, page: pages / 5 - 1 });
await measure('one user, ten days, in the middle', dense, 'tickets', {
  user_id: heavyUser,
  start: at(0.3),
  end: at(0.3) + 10 * day,
  page: (pages / 30) | 0,
});
console.table(table);

await bundleForLambda(folder, ['reports/tickets']);
const child = join(import.meta.dirname, 'report-memory.mjs');
const memory = execFileSync(process.execPath, [child, join(folder, 'reports/tickets/index.js'), dense], {
  encoding: 'utf8',
});
console.log(memory.trim());
await dynamodb.stop();
rmSync(folder, { recursive: true });
