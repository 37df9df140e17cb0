import { milestoneEvery } from '../accounts/records.ts';
import { readUser } from '../accounts/user.ts';
import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import type { Item } from '../table/client.ts';
import { milestonesOfUser, type Range, type RecordList, recordsOfUser } from '../table/keys.ts';
import { positionOf, readRange } from '../table/ranges.ts';
import type { RecordKind } from '../vocabulary.ts';
import type { CountedKey } from './fences.ts';
import { readRecords, type UlidSpan } from './record-lists.ts';
import { listsOf } from './report-lists.ts';
import type { PageWindow, RowIndex } from './row-index.ts';

/** A page of some lists of a user's rows in a report, in a range. */
export type UserRows = {
  organizationId: string;
  userId: string;
  report: RecordKind;
  lists: RecordList[];
  span: UlidSpan;
  window: PageWindow;
};

/**
 * Counts a user's rows in a range and finds the way to a page of them. Two round trips: the first and the last
 * row of the range, which carry their numbers, as they are now; then the milestones of the page. Throws
 * `Invalid user ID`.
 */
export async function indexUserRows(wanted: UserRows): Promise<RowIndex> {
  const { organizationId, userId, report, lists, span, window } = wanted;
  // What is no id may be too long for a key.
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const ranges = lists.map((list) => recordsOfUser(organizationId, userId, list));
  // Entries of both types are counted together, those of one type by themselves.
  const counted = lists.length === listsOf(report).length ? report : lists[0]!;
  const numberOf = (item: Item) => Number(counted === report ? item.number : item.number_of_type);
  const [first, last] = await Promise.all([ends(ranges, span, false), ends(ranges, span, true)]);
  const before = Math.min(...first.map(numberOf)) - 1;
  const total = Math.max(...last.map(numberOf)) - before;
  if (!Number.isFinite(total)) {
    await readUser(organizationId, userId);
    return { total: 0, keys: [], ranges, shards: 1 };
  }
  const from = before + window.offset;
  const inside = window.offset < total ? await milestones(wanted, counted, from, from + window.size) : [];
  const between = inside
    .map(({ key, rowsBefore }) => ({ key, rowsBefore: rowsBefore - before }))
    .filter(({ rowsBefore }) => rowsBefore > 0 && rowsBefore < total);
  const keys = [{ key: span.from, rowsBefore: 0 }, ...between, { key: span.below, rowsBefore: total }];
  return { total, keys, ranges, shards: 1 };
}

async function ends(ranges: Range[], span: UlidSpan, newestFirst: boolean): Promise<Item[]> {
  const options = { limit: 1, newestFirst, consistent: true, fields: ['number', 'number_of_type'] };
  return (await Promise.all(ranges.map((range) => readRecords(range, span, options)))).flat();
}

/** The milestones of records that are counted together, from the last one before a position to the first one after. */
async function milestones(
  { organizationId, userId }: UserRows,
  counted: RecordKind | RecordList,
  from: number,
  to: number,
): Promise<CountedKey[]> {
  const numbers: [number, number] = [Math.max(0, from + 1 - milestoneEvery), to + milestoneEvery];
  const range = milestonesOfUser(organizationId, userId, counted, numbers);
  const items = await readRange(range);
  return items.map((item) => ({
    key: String(item.ulid),
    rowsBefore: Number(positionOf(range, item)) - 1,
  }));
}
