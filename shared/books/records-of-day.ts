/** Reads all records of an organization's day, in the order of the day's book. */
import { ulidFloor } from '../ids.ts';
import type { Item } from '../table/client.ts';
import {
  between,
  operationsByTime,
  type Range,
  recordLists,
  recordsInShards,
  type TimeKey,
  timeSortKey,
} from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { addDays, startOfDay } from '../time.ts';

const lists = [...recordLists, 'orders'] as const;

/** A record as stored, with its key in the index `byTime`. */
export type StoredRecord = Item & TimeKey & { kind: string };

/**
 * Yields a day's records after the ULID `after`. Skips records without a genuine seal. Because the index `byTime` lags,
 * call this at the earliest an hour after the day's end.
 */
export async function* recordsOfDay(
  organizationId: string,
  day: string,
  after?: string,
): AsyncGenerator<StoredRecord, undefined> {
  const [from, to] = [day, addDays(day, 1)].map((day) => ulidFloor(startOfDay(day)));
  // `!` sorts before all characters of a ULID, so the range starts just after all keys with this ULID.
  const least = after === undefined ? from! : `${after}!`;
  const ranges = lists.flatMap((list) => recordsInShards(organizationId, list));
  const heads = await Promise.all(
    [...ranges, operationsByTime(organizationId)].map((range) =>
      headOf(oneByOne(between(range, least, to!))),
    ),
  );
  for (;;) {
    const next = heads.reduce(earlier);
    if (!next.record) return undefined;
    yield next.record;
    await next.advance();
  }
}

async function* oneByOne(range: Range): AsyncGenerator<StoredRecord, undefined> {
  for await (const items of batches(range, { ifTampered: 'skip' })) yield* items as StoredRecord[];
}

type Head = { record: StoredRecord | undefined; advance: () => Promise<void> };

async function headOf(records: AsyncGenerator<StoredRecord, undefined>): Promise<Head> {
  const head: Head = {
    record: undefined,
    async advance() {
      head.record = (await records.next()).value;
    },
  };
  await head.advance();
  return head;
}

/** Returns the list whose next record is earlier. A list without further records comes last. */
function earlier(a: Head, b: Head): Head {
  if (!a.record || !b.record) return a.record ? a : b;
  const [left, right] = [timeSortKey(a.record), timeSortKey(b.record)];
  if (left === right) return a.record.kind < b.record.kind ? a : b;
  return left < right ? a : b;
}
