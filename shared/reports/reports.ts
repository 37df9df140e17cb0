import type * as z from 'zod/mini';
import { ulidTimePart } from '../ids.ts';
import { settledBefore } from '../table/settled.ts';
import type { EntryType, RecordKind } from '../vocabulary.ts';
import { countOrganizationRows } from './organization-rows.ts';
import { readRows } from './page-rows.ts';
import { everyUlid, type UlidSpan } from './record-lists.ts';
import { countUserRows } from './user-rows.ts';

/** `start` (inclusive) and `end` (exclusive) are epoch milliseconds. */
export type ReportQuery = {
  start?: number | undefined;
  end?: number | undefined;
  page: number;
  page_size: number;
  user_id?: string | undefined;
  entry_type?: EntryType | undefined;
};

/** A page of a report: its rows with the requested fields, oldest first, and the total number of rows. */
type ReportPage<T> = {
  rows: T[];
  paging: { total_count: number; page: number; page_size: number; total_pages: number };
};

/** Throws `userNotFound`. */
export async function reportPage<T>(
  organizationId: string,
  kind: RecordKind,
  query: ReportQuery,
  fields: string[],
  { now }: { now: number },
): Promise<ReportPage<T>> {
  const { start, end, page, page_size, user_id, entry_type } = query;
  const report = kind === 'entries' && entry_type ? (`entries#${entry_type}` as const) : kind;
  const span: UlidSpan = {
    from: start === undefined ? everyUlid.from : ulidTimePart(start),
    below: end === undefined ? everyUlid.below : ulidTimePart(end),
  };
  const window = { offset: page * page_size, size: page_size };
  const rows = { organizationId, report, span, window };
  const counted =
    user_id !== undefined
      ? await countUserRows({ ...rows, userId: user_id })
      : await countOrganizationRows({ ...rows, now });
  const items = await readRows(counted, window, fields, settledBefore(now));
  const { total } = counted;
  const paging = { total_count: total, page, page_size, total_pages: Math.ceil(total / page_size) };
  return { rows: items as T[], paging };
}

/** A page whose rows have the fields of the schema `row`. Throws `userNotFound`. */
export const reportOf = <Row extends z.ZodMiniObject>(
  kind: RecordKind,
  row: Row,
  { organizationId, query, now }: { organizationId: string; query: ReportQuery; now: number },
) => reportPage<z.output<Row>>(organizationId, kind, query, Object.keys(row.shape), { now });
