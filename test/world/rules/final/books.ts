/** Recomputes the daily books from the table and compares them with the stored ones. */
import { createHash } from 'node:crypto';
import type { StoredItem } from '../../journal.ts';
import { dayAfter, dayAt, startOf, timeIn, ulidIn } from '../days-and-ulids.ts';
import { isSame, sortedJson } from '../hashes.ts';
import { idOf } from '../item-types.ts';
import { daySecret } from '../server-seeds.ts';
import { groupBy } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';

const hash = (...parts: (Uint8Array | string)[]) => {
  const made = createHash('sha256');
  for (const part of parts) made.update(part);
  return made.digest();
};

/** Returns the root of the RFC 6962 Merkle tree over lines, by the recursive definition. */
function rootOf(lines: string[]): Buffer {
  if (lines.length === 0) return hash();
  if (lines.length === 1) return hash(Buffer.of(0), lines[0]!);
  let left = 1;
  while (left * 2 < lines.length) left *= 2;
  return hash(Buffer.of(1), rootOf(lines.slice(0, left)), rootOf(lines.slice(left)));
}

/** Returns the line of a record or operation in its book, without texts that an erasure may remove. */
export function lineOf({ pk, sk, tpk, tsk, ...fields }: StoredItem): string {
  if (fields.idempotency_key !== undefined || fields.texts !== undefined)
    for (const text of ['description', 'idempotency_key', 'why']) delete fields[text];
  return sortedJson(fields);
}

const idOfRecord = (record: StoredItem) =>
  record.kind === 'operations' ? record.operation_id : idOf(record);
const ulidOf = (record: StoredItem) => ulidIn(idOfRecord(record));
const dayOf = (record: StoredItem) => dayAt(timeIn(ulidOf(record)));

/** Returns the records and operations of each organization and New York day, in order of their ULIDs. */
export function recordsByDay(world: World): Map<string, StoredItem[]> {
  const all = [...world.of('record'), ...world.of('operation')];
  const days = groupBy(all, (record) => `${record.organization_id} ${dayOf(record)}`);
  for (const records of days.values()) records.sort((a, b) => (ulidOf(a) < ulidOf(b) ? -1 : 1));
  return days;
}

/** Milliseconds from a day's end to the day's book: closing starts after an hour and takes 20 minutes. */
const closedWithinMs = 80 * 60_000;

/** Returns the days that need a book, from the first operation's day to `closedWithinMs` ago. */
function daysToClose(world: World, operations: StoredItem[]): string[] {
  const days: string[] = [];
  for (let day = operations.map(dayOf).sort()[0]!; ; day = dayAfter(day)) {
    if (world.now < startOf(dayAfter(day)) + closedWithinMs) return days;
    days.push(day);
  }
}

/** Returns the text of a stored book without the book's signature, and the values in this text. */
export function readBook({ note }: StoredItem) {
  const text = String(note).slice(0, String(note).indexOf('\n\n') + 1);
  const [origin = '', size = '', root = '', header = ''] = text.split('\n');
  return { text, origin, size: Number(size), root, header: JSON.parse(header) };
}

/** Each past day has a book. The book's leaves are exactly the day's records and operations. */
const completeBooks: EndRule = {
  rule: 'a book has all records of its day',
  check(world, report) {
    const records = recordsByDay(world);
    const operations = groupBy(world.of('operation'), ({ organization_id }) => organization_id);
    for (const [organizationId, mine] of operations) {
      let previous: string | null = null;
      for (const day of daysToClose(world, mine)) {
        const item = world.item(`BOOKS#${organizationId}`, day);
        if (!item) {
          report(`${organizationId} has no book of ${day}`);
          break;
        }
        const { text, origin, size, root, header } = readBook(item);
        const lines = (records.get(`${organizationId} ${day}`) ?? []).map(lineOf);
        const secretOf = (day: string) => daySecret(organizationId, day);
        const ahead = dayAfter(dayAfter(day));
        const holds = {
          'it has a wrong origin': origin === `incentives/${organizationId}/${day}`,
          [`it has ${size} records, not ${lines.length}`]: size === lines.length,
          'its root is wrong': root === rootOf(lines).toString('base64'),
          'it does not follow the previous book': header.previous === previous,
          'its secret is wrong': header.secrets[day] === secretOf(day).toString('hex'),
          'it tells another secret ahead': isSame(header.fingerprints, {
            [ahead]: hash(secretOf(ahead)).toString('hex'),
          }),
        };
        for (const [fault, holdsTrue] of Object.entries(holds))
          if (!holdsTrue) report(`the book of ${organizationId} ${day}: ${fault}`);
        previous = hash(text).toString('hex');
      }
    }
  },
};

export const bookRules = [completeBooks];
