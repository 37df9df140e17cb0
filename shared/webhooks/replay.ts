/** Replays a time window: queues the webhook events of its records again, in order. */
import type { HistoryRecord } from '../accounts/records.ts';
import { ulidFloor } from '../ids.ts';
import { between, type Range, recordLists, recordsInShards, timeSortKey } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { publish } from './publishing.ts';

const perQuery = 500;

/**
 * A time window of an organization's records (epoch milliseconds, `to` excluded). Without `webhookId`, events
 * go to all subscribed webhooks.
 */
export type Window = { organizationId: string; from: number; to: number; webhookId?: string | undefined };

/**
 * Queues a window's events again under their old ids. Returns the number of records. Throws if queueing
 * failed.
 */
export async function replay(
  { webhookId, ...window }: Window,
  beforeFirst: () => Promise<void>,
): Promise<number> {
  let count = 0;
  const { organizationId, from, to } = window;
  // A ULID's time part sorts before all ULIDs of its millisecond and after all earlier ones.
  const positions = { organizationId, from: ulidFloor(from), to: ulidFloor(to) };
  for await (const records of recordsInOrder(positions)) {
    if (count === 0) await beforeFirst();
    const failed = await publish(records, webhookId);
    if (failed !== undefined) {
      throw new Error(
        `Some events could not be queued. Continue with --from ${records[failed]!.date_created}`,
      );
    }
    count += records.length;
  }
  return count;
}

/** The range of an organization's records whose ULIDs sort between `from` and `to`, both inclusive. */
type RecordRange = { organizationId: string; from: string; to: string };

/**
 * Yields an organization's records of all lists, oldest first, in arrays of `atOnce`; the last can be
 * shorter.
 */
export async function* recordsInOrder(
  { organizationId, from, to }: RecordRange,
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

/** Returns the index of the oldest record, or undefined if all lists have ended. */
function leastOf(heads: (HistoryRecord | undefined)[]): number | undefined {
  let firstHead: number | undefined;
  for (const [index, head] of heads.entries()) {
    if (head && (firstHead === undefined || timeSortKey(head) < timeSortKey(heads[firstHead]!)))
      firstHead = index;
  }
  return firstHead;
}
