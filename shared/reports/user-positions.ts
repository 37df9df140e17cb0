import { type Place, readSpan, type Span, userList } from '../accounts/record-lists.ts';
import { milestoneEvery } from '../accounts/records.ts';
import { readUser } from '../accounts/user.ts';
import { type Item, queryAll } from '../table/client.ts';
import { milestoneKey, type RecordKind, type RecordList } from '../table/keys.ts';
import { listsOf } from './fence-items.ts';
import type { Mark } from './fences.ts';
import type { Located, Window } from './organization-positions.ts';

type Wanted = {
  organizationId: string;
  userId: string;
  report: RecordKind;
  lists: RecordList[];
  span: Span;
  window: Window;
};

/**
 * Counts a user's rows in a range and finds the way to a page of them. Two round trips: the first and the last
 * row of the range, which carry their numbers, as they are now; then the milestones of the page. Throws
 * `Invalid user ID`.
 */
export async function locateInUser(wanted: Wanted): Promise<Located> {
  const { organizationId, userId, report, lists, span, window } = wanted;
  const places = lists.map((list) => userList(organizationId, userId, list));
  // Entries of both types are counted together, those of one type by themselves.
  const counted = lists.length === listsOf(report).length ? report : lists[0]!;
  const numberOf = (item: Item) => Number(counted === report ? item.number : item.number_of_type);
  const [first, last] = await Promise.all([ends(places, span, false), ends(places, span, true)]);
  const before = Math.min(...first.map(numberOf)) - 1;
  const total = Math.max(...last.map(numberOf)) - before;
  if (!Number.isFinite(total)) {
    await readUser(organizationId, userId);
    return { total: 0, marks: [], places };
  }
  const from = before + window.offset;
  const inside = window.offset < total ? await milestones(wanted, counted, from, from + window.size) : [];
  const marks = inside
    .map(({ key, at }) => ({ key, at: at - before }))
    .filter(({ at }) => at > 0 && at < total);
  return { total, marks: [{ key: span.from, at: 0 }, ...marks, { key: span.below, at: total }], places };
}

async function ends(places: Place[], span: Span, newestFirst: boolean): Promise<Item[]> {
  const options = { limit: 1, newestFirst, consistent: true, fields: ['number', 'number_of_type'] };
  return (await Promise.all(places.map((place) => readSpan(place, span, options)))).flat();
}

/** Marks among all records that are counted together, from the last one before a position to the first one after. */
async function milestones(
  { organizationId, userId }: Wanted,
  counted: RecordKind | RecordList,
  from: number,
  to: number,
): Promise<Mark[]> {
  const keyOf = (number: number) => milestoneKey(organizationId, userId, counted, Math.max(0, number));
  const { pk, sk } = keyOf(from + 1 - milestoneEvery);
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': sk, ':to': keyOf(to + milestoneEvery).sk },
  });
  return items.map(({ sk, ulid }) => ({ key: String(ulid), at: Number(String(sk).split('#').at(-1)) - 1 }));
}
