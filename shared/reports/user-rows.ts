import { recordsPerMilestone } from '../accounts/records.ts';
import { readUser } from '../accounts/user.ts';
import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import type { Item } from '../table/client.ts';
import { type KeyRange, milestonesOfUser, recordsOfUser } from '../table/keys.ts';
import { positionOf, readRange } from '../table/ranges.ts';
import type { CountedKey } from './blocks.ts';
import type { CountedRange, PageWindow } from './page-rows.ts';
import { readRecords, type UlidSpan } from './record-lists.ts';
import { type Report, recordListsOf } from './report-lists.ts';

type UserRows = Report & { userId: string; span: UlidSpan; window: PageWindow };

/** Throws `userNotFound` if a user without rows is missing or erased. */
export async function countUserRows(query: UserRows): Promise<CountedRange> {
  const { organizationId, userId, report, span, window } = query;
  // Rejects invalid ids before any read, because an invalid id can be longer than a key may be.
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const ranges = recordListsOf(report).map((list) => recordsOfUser(organizationId, userId, list));
  // An entry record has two numbers: `number` counts all entry records of the user, `number_of_type` those of the
  // record's type.
  const ofType = report === 'entries#truck' || report === 'entries#flight';
  const numberOf = (item: Item) => Number(ofType ? item.number_of_type : item.number);
  const [first, last] = await Promise.all([endRows(ranges, span, false), endRows(ranges, span, true)]);
  const before = Math.min(...first.map(numberOf)) - 1;
  const total = Math.max(...last.map(numberOf)) - before;
  if (!Number.isFinite(total)) {
    await readUser(organizationId, userId);
    return { total: 0, keys: [], ranges, shards: 1 };
  }
  const from = before + window.offset;
  const inside = window.offset < total ? await milestones(query, from, from + window.size) : [];
  const between = inside
    .map(({ key, rowsBefore }) => ({ key, rowsBefore: rowsBefore - before }))
    .filter(({ rowsBefore }) => rowsBefore > 0 && rowsBefore < total);
  const keys = [{ key: span.from, rowsBefore: 0 }, ...between, { key: span.below, rowsBefore: total }];
  return { total, keys, ranges, shards: 1 };
}

async function endRows(ranges: KeyRange[], span: UlidSpan, newestFirst: boolean): Promise<Item[]> {
  const options = { limit: 1, newestFirst, consistent: true } as const;
  return (await Promise.all(ranges.map((range) => readRecords(range, span, options)))).flat();
}

/** Returns the milestones (marks of every 64th row) around the user's rows `from` to `to`, counted from 0. */
async function milestones(
  { organizationId, userId, report }: UserRows,
  from: number,
  to: number,
): Promise<CountedKey[]> {
  const numbers: [number, number] = [Math.max(0, from + 1 - recordsPerMilestone), to + recordsPerMilestone];
  const range = milestonesOfUser(organizationId, userId, report, numbers);
  const items = await readRange(range);
  return items.map((item) => ({
    key: String(item.ulid),
    rowsBefore: Number(positionOf(range, item)) - 1,
  }));
}
