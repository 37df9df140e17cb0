/** Writes many records directly into the table, without requests, and measures report pages over them. */

import { milestonesOf } from '../../shared/accounts/records.ts';
import { ticketReportRow } from '../../shared/api/schemas.ts';
import { newId } from '../../shared/ids.ts';
import { extendIndex } from '../../shared/reports/extend-index.ts';
import { listsOf, type Report } from '../../shared/reports/report-lists.ts';
import { reportPage } from '../../shared/reports/reports.ts';
import { client, type Item } from '../../shared/table/client.ts';
import { packed } from '../../shared/table/codec.ts';
import { impliedBy } from '../../shared/table/implied.ts';
import { definition, recordKey, recordsInShards, recordTimeKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import type { Account } from '../../shared/vocabulary.ts';
import { transactionOf, userOf, writeItems } from '../support/records.ts';
import { fastUlid, itemBytes, metered, rowUnits } from './meter.ts';
import { median } from './row.ts';

/** Records to write, at equal intervals from `from` to `to` (epoch milliseconds). One user has every fifth record. */
export type Plan = {
  organizationId: string;
  count: number;
  from: number;
  to: number;
  account?: (index: number) => Account;
  progress?: (written: number) => void;
};

/** Writes the planned records. Returns the ids of their users, first the user who has every fifth record. */
export async function writeReportRows(plan: Plan): Promise<string[]> {
  const { rowAt, users } = await rowsOf(plan);
  for (let from = 0; from < plan.count; from += 20_000) {
    const length = Math.min(20_000, plan.count - from);
    const rows = Array.from({ length }, (_, i) => rowAt(from + i));
    await writeItems(rows.flatMap((row) => [row, ...milestonesOf(row as never)]));
    plan.progress?.(from + length);
  }
  return users;
}

/** Indexes all rows of a report that are old enough at the time `now` to be indexed. */
export async function indexAll(report: Report, now: number): Promise<void> {
  while ((await extendIndex(report, now, { minRows: 1 })) === undefined) {
    // Calls `extendIndex` again, because `undefined` means that another writer extended the index at the same time.
  }
}

async function rowsOf({ organizationId, count, from, to, account = () => 'tickets' }: Plan) {
  const users = Array.from({ length: 1001 }, () => newId('usr', from));
  const counts = users.map(() => ({ all: 0, truck: 0, flight: 0 }));
  const sample = async (of: Account) =>
    (await transactionOf(userOf(organizationId, users[0]!), of, from, 'Welcome bonus for a new account'))
      .record;
  const samples = {
    tickets: await sample('tickets'),
    truck: await sample('truck'),
    flight: await sample('flight'),
  };
  const rowAt = (i: number) => {
    const ulid = fastUlid(Math.floor(from + ((to - from) * i) / count));
    const nth = i % 5 === 0 ? 0 : 1 + (i % 1000);
    const of = account(i);
    const list = of === 'tickets' ? ('tickets' as const) : (`entries#${of}` as const);
    const number = ++counts[nth]!.all;
    const key = recordKey(organizationId, users[nth]!, list, ulid);
    return {
      ...samples[of],
      ...key,
      ...impliedBy(key),
      ...recordTimeKey(organizationId, users[nth]!, list, ulid),
      user_id: users[nth]!,
      idempotency_key: `bonus-${organizationId}-${i}`,
      number,
      ...(of === 'tickets' ? {} : { number_of_type: ++counts[nth]![of] }),
    };
  };
  return { rowAt, users };
}

type ReportArguments = Parameters<typeof import('../../shared/reports/reports.ts').reportPage>;

/**
 * Measures a report page. Returns its median milliseconds, requests and read units, and the units that reading only the
 * page's rows would need.
 */
export async function measurePage(
  [organizationId, report]: [ReportArguments[0], ReportArguments[1]],
  asked: Partial<ReportArguments[2]>,
  turns = 7,
) {
  const query = { page: 0, page_size: 1000, ...asked };
  const shardOfRow = definition.byTime.partitionKey;
  const fields = [...Object.keys(ticketReportRow.shape), 'entry_type', shardOfRow];
  const times: number[] = [];
  let measured = { requests: 0, 'round trips': 0, units: 0, total: 0, rows: 0 };
  let ofShards: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const meter = metered(client);
    const page = await reportPage<Item>(organizationId, report, query, fields, { now: Date.now() });
    const { paging, rows } = page;
    const { ms, ...rest } = meter.stop();
    times.push(ms);
    measured = { ...rest, total: paging.total_count, rows: rows.length };
    ofShards = Object.values(Object.groupBy(rows, (row) => String(row[shardOfRow]))).map(
      (some) => some!.length,
    );
  }
  const bytes = await rowBytes(organizationId, report);
  const own = ofShards.reduce((sum, rows) => sum + rowUnits(bytes, rows), 0);
  const ratio = Number((measured.units / own).toFixed(2));
  return { ms: Math.round(median(times)), ...measured, 'units of its rows': own, ratio };
}

async function rowBytes(organizationId: ReportArguments[0], report: ReportArguments[1]): Promise<number> {
  const some = await readRange(recordsInShards(organizationId, listsOf(report)[0]!)[0]!, { limit: 200 });
  return some.reduce((sum, item) => sum + itemBytes(packed(item)), 0) / some.length;
}
