/** Replaying: what was committed in a window of time is told again, in its order. */
import type { HistoryRecord } from '../accounts/records.ts';
import { ulidFloor } from '../ids.ts';
import { between, type Range, recordLists, recordsInShards, timeSortKey } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { publish } from './publishing.ts';

const perQuery = 500;

/** A window of an organization's records (epoch milliseconds, `to` not included), told to all webhooks or to one. */
export type Window = { organizationId: string; from: number; to: number; webhookId?: string | undefined };

/**
 * Publishes the records of a window anew, oldest first; their events carry the ids that they had. Calls `beforeFirst`
 * once, if there are any. Returns how many records there were. Throws if some could not be queued.
 */
export async function replay(
  { webhookId, ...window }: Window,
  beforeFirst: () => Promise<void>,
): Promise<number> {
  let count = 0;
  const { organizationId, from, to } = window;
  // What a ULID of a time starts with is less than the ULID, and greater than those of earlier times.
  const positions = { organizationId, from: ulidFloor(from), to: ulidFloor(to) };
  for await (const records of recordsInOrder(positions)) {
    if (count === 0) await beforeFirst();
    const failed = await publish(records, webhookId);
    if (failed !== undefined) {
      throw new Error(`not all could be queued; go on from ${records[failed]!.date_created}`);
    }
    count += records.length;
  }
  return count;
}

/** A part of an organization's records, between two positions: ULIDs, or what they begin with. */
type Part = { organizationId: string; from: string; to: string };

/**
 * An organization's records from one position to another, of all lists together, in the order of their ULIDs:
 * so many at once, and the last ones fewer.
 */
export async function* recordsInOrder(
  { organizationId, from, to }: Part,
  atOnce = perQuery,
): AsyncGenerator<HistoryRecord[]> {
  const lists = recordLists.flatMap((list) =>
    recordsInShards(organizationId, list).map((range) => itemsOf(between(range, from, to), atOnce)),
  );
  const heads = await Promise.all(lists.map(async (list) => (await list.next()).value));
  let gathered: HistoryRecord[] = [];
  for (let first = leastOf(heads); first !== undefined; first = leastOf(heads)) {
    gathered.push(heads[first]!);
    heads[first] = (await lists[first]!.next()).value;
    if (gathered.length === atOnce) {
      yield gathered;
      gathered = [];
    }
  }
  if (gathered.length > 0) yield gathered;
}

async function* itemsOf(range: Range, limit: number): AsyncGenerator<HistoryRecord, undefined> {
  for await (const items of batches(range, { limit })) yield* items as HistoryRecord[];
}

/** The index of the oldest head; undefined once there is none. */
function leastOf(heads: (HistoryRecord | undefined)[]): number | undefined {
  let least: number | undefined;
  for (const [index, head] of heads.entries()) {
    if (head && (least === undefined || timeSortKey(head) < timeSortKey(heads[least]!))) least = index;
  }
  return least;
}
