import { everyUlid, readRecords, type UlidSpan } from '../accounts/record-lists.ts';
import { ulidFloor } from '../ids.ts';
import type { Item } from '../table/client.ts';
import { definition, type EntryType, type Range, type RecordKind } from '../table/keys.ts';
import type { FenceSizes, Mark } from './fences.ts';
import { type Located, locateInOrganization } from './organization-positions.ts';
import { listsOf } from './report-lists.ts';
import { locateInUser } from './user-positions.ts';

/** What a report is asked for. Times are epoch milliseconds; `end` is not part of the range. */
export type ReportQuery = {
  start?: number | undefined;
  end?: number | undefined;
  page: number;
  page_size: number;
  user_id?: string | undefined;
  entry_type?: EntryType | undefined;
};

/** A page of a report, oldest rows first, with the fields that were asked for. */
export type ReportPage<T> = {
  rows: T[];
  paging: { total_count: number; page: number; page_size: number; total_pages: number };
};

/**
 * A page of an organization's records of one kind, with the exact total of the range. Three round trips at most,
 * and hardly more read units than the rows of the page take, wherever the page lies; some more where the range holds
 * over a thousand rows of the last minute. Throws `Invalid user ID`.
 */
export async function reportPage<T>(
  organizationId: string,
  report: RecordKind,
  query: ReportQuery,
  fields: string[],
  { now, sizes }: { now: number; sizes?: FenceSizes | undefined },
): Promise<ReportPage<T>> {
  const { start, end, page, page_size, user_id, entry_type } = query;
  const lists = report === 'entries' && entry_type ? [`entries#${entry_type}` as const] : listsOf(report);
  const span: UlidSpan = {
    from: start === undefined ? everyUlid.from : ulidFloor(start),
    below: end === undefined ? everyUlid.below : ulidFloor(end),
  };
  const window = { offset: page * page_size, size: page_size };
  const wanted = { organizationId, report, lists, span, window, now, sizes };
  const located =
    user_id !== undefined
      ? await locateInUser({ ...wanted, userId: user_id })
      : await locateInOrganization(wanted);
  const rows = await rowsOf(located, window.offset, window.offset + page_size, fields);
  const { total } = located;
  const paging = { total_count: total, page, page_size, total_pages: Math.ceil(total / page_size) };
  return { rows: rows as T[], paging };
}

/** A stretch of the range between two marks, to be read by one query for each list. */
type Stretch = UlidSpan & { at: number; rows: number };

// Rows of 4.7 KB, the largest there are, and one query's 1 MB.
const rowsPerQuery = 192;

/** The rows at positions from `from` to before `to` of the range: stretches are read side by side, in one round trip. */
export async function rowsOf({ total, marks, ranges }: Located, from: number, to: number, fields: string[]) {
  const stretches = stretchesOf(marks, from, Math.min(to, total));
  const read = await Promise.all(stretches.map((stretch) => rowsIn(ranges, stretch, fields)));
  const skip = from - (stretches[0]?.at ?? from);
  return read.flat().slice(skip, skip + to - from);
}

/** Cuts the way from the last mark before a page to its end, at marks, so that no stretch has more rows than a query answers. */
export function stretchesOf(marks: Mark[], from: number, to: number): Stretch[] {
  if (from >= to) return [];
  const stretches: Stretch[] = [];
  let index = marks.findLastIndex(({ at }) => at <= from);
  while (index < marks.length - 1 && marks[index]!.at < to) {
    const { key, at } = marks[index]!;
    let next = index + 1;
    while (marks[next]!.at < to && next + 1 < marks.length && marks[next + 1]!.at - at <= rowsPerQuery)
      next++;
    const end = marks[next]!;
    stretches.push({ from: key, below: end.key, at, rows: Math.min(end.at, to) - at });
    index = next;
  }
  return stretches;
}

async function rowsIn(ranges: Range[], stretch: Stretch, fields: string[]): Promise<Item[]> {
  const read = async (consistent: boolean) => {
    const options = { limit: stretch.rows, fields: [...fields, sortBy], consistent };
    return merged(await Promise.all(ranges.map((range) => readRecords(range, stretch, options))));
  };
  const rows = await read(false);
  // A user's newest rows may be missing from a read that costs half; an index knows no other.
  const complete = rows.length >= stretch.rows || ranges.some(({ inIndex }) => inIndex);
  return (complete ? rows : await read(true)).slice(0, stretch.rows);
}

const sortBy = definition.byTime.sortKey;

function merged(lists: Item[][]): Item[] {
  if (lists.length === 1) return lists[0]!;
  return lists.flat().sort((a, b) => (String(a[sortBy]) < String(b[sortBy]) ? -1 : 1));
}
