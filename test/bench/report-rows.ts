/** Writes many records directly into the table, without requests. */
import { milestonesOf } from '../../shared/accounts/records.ts';
import { newId } from '../../shared/ids.ts';
import { extendRowIndex } from '../../shared/reports/extend-index.ts';
import type { Report } from '../../shared/reports/report-lists.ts';
import { fieldsImpliedByKey } from '../../shared/table/implied.ts';
import { recordKey, recordTimeKey } from '../../shared/table/keys.ts';
import type { Account } from '../../shared/vocabulary.ts';
import { transactionOf, userOf, writeItems } from '../support/records.ts';
import { fastUlid } from './meter.ts';

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
  while ((await extendRowIndex(report, now, { minRows: 1 })) === undefined) {
    // Calls `extendRowIndex` again, because `undefined` means that another writer extended the index at the same time.
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
      ...fieldsImpliedByKey(key),
      ...recordTimeKey(organizationId, users[nth]!, list, ulid),
      user_id: users[nth]!,
      idempotency_key: `bonus-${organizationId}-${i}`,
      number,
      ...(of === 'tickets' ? {} : { number_of_type: ++counts[nth]![of] }),
    };
  };
  return { rowAt, users };
}
