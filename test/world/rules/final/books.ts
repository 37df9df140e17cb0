/**
 * Groups records by the days of their books. Checks that each past day has a book, which the service has checked and
 * which has a timestamp.
 */
import type { StoredItem } from '../../journal.ts';
import { dayAfter, dayAt, startOf, timeIn, ulidIn } from '../days-and-ulids.ts';
import { sortedJson } from '../hashes.ts';
import { idOf } from '../item-types.ts';
import { groupBy } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';

/** Returns the line of a record or action in its book, without texts that an erasure may remove. */
export function lineOf({
  pk,
  sk,
  tpk,
  tsk,
  external_reference,
  ms_since_last,
  ...fields
}: StoredItem): string {
  if (fields.idempotency_key !== undefined || fields.texts !== undefined)
    for (const text of ['description', 'idempotency_key', 'why', 'reference', 'reason']) delete fields[text];
  return sortedJson(fields);
}

const idOfRecord = (record: StoredItem) => (record.kind === 'actions' ? record.action_id : idOf(record));
const ulidOf = (record: StoredItem) => ulidIn(idOfRecord(record));
const dayOf = (record: StoredItem) => dayAt(timeIn(ulidOf(record)));

/** Returns the records and actions of each organization and New York day, in order of their ULIDs. */
export function recordsByDay(world: World): Map<string, StoredItem[]> {
  const all = [...world.of('record'), ...world.of('action')];
  const days = groupBy(all, (record) => `${record.organization_id} ${dayOf(record)}`);
  for (const records of days.values()) records.sort((a, b) => (ulidOf(a) < ulidOf(b) ? -1 : 1));
  return days;
}

/**
 * Maximum milliseconds from a day's end until its book exists: closing starts after an hour and takes up to 20 minutes.
 */
const closedWithinMs = 80 * 60_000;

/**
 * Maximum milliseconds from a day's end until its book is checked. Checks run every six hours, and one of them may
 * fail.
 */
const checkedWithinMs = closedWithinMs + 13 * 3_600_000;

/** Returns the days that ended at least `withinMs` ago, beginning with the day of the first action. */
function daysOver(world: World, actions: StoredItem[], withinMs: number): string[] {
  const days: string[] = [];
  for (let day = actions.map(dayOf).sort()[0]!; ; day = dayAfter(day)) {
    if (world.now < startOf(dayAfter(day)) + withinMs) return days;
    days.push(day);
  }
}

/** Returns the actions by organization. */
const actionsOfAll = (world: World): Map<string, StoredItem[]> =>
  groupBy(world.of('action'), ({ organization_id }) => organization_id);

/** Each past day has a book. `verifyBooks` checks that a book has all records of its day. */
const noMissingBooks: EndRule = {
  rule: 'each past day has a book',
  check(world, report) {
    for (const [organizationId, mine] of actionsOfAll(world))
      for (const day of daysOver(world, mine, closedWithinMs))
        if (!world.item(`BOOKS#${organizationId}`, day)) report(`${organizationId} has no book of ${day}`);
  },
};

/** The service has checked each book, and its checks found no errors. */
const checkedBooks: EndRule = {
  rule: 'the service checks each book and finds nothing',
  check(world, report) {
    for (const [organizationId, mine] of actionsOfAll(world))
      for (const day of daysOver(world, mine, checkedWithinMs))
        if (!world.item(`CHECKS#${organizationId}`, day)) report(`${organizationId} ${day} is unchecked`);
    for (const { pk, sk, findings } of world.of('book check')) {
      const codes = Object.keys(findings);
      if (codes.length > 0) report(`the book of ${pk} ${sk} has ${codes.join(', ')}`);
    }
  },
};

/**
 * From the beginning of its day, the service asks for a book's timestamp for at least this long. If no authority
 * answers, the book never gets one.
 */
const askedForMs = 7 * 24 * 3_600_000;

/** Each book that is closed without faults has a timestamp, and earlier books get theirs first. */
const timestampedBooks: EndRule = {
  rule: 'each book gets a timestamp, earlier books first',
  check(world, report) {
    for (const [pk, books] of groupBy(world.of('book'), ({ pk }) => pk)) {
      const days = books.map(({ sk }) => sk).sort();
      const faultsEnd = Math.min(world.faultFreeFrom, world.now);
      const open = days.filter(
        (day) => !world.item(pk, day)?.timestamp && startOf(day) + askedForMs >= faultsEnd,
      );
      const last = days.at(-1)!;
      const isDue = (end: number) => end >= world.faultFreeFrom && world.now >= end + closedWithinMs;
      for (const day of open)
        if (day < last && world.item(pk, last)?.timestamp)
          report(`${pk} ${day} has no timestamp, but a later book has one`);
        else if (isDue(startOf(dayAfter(day)))) report(`${pk} ${day} has no timestamp`);
    }
  },
};

export const bookRules = [noMissingBooks, checkedBooks, timestampedBooks];
