/** Replays a time window: queues the webhook events of its records again, in order. */
import type { HistoryRecord } from '../accounts/records.ts';
import { ulidFloor } from '../ids.ts';
import { between, recordLists, recordsInShards } from '../table/keys.ts';
import { merged } from '../table/merged.ts';
import { publish } from './publishing.ts';

const recordsPerQuery = 500;

/**
 * A time window of an organization's records (epoch milliseconds, `to` excluded). If `webhookId` is absent,
 * events go to all subscribed webhooks.
 */
export type Window = { organizationId: string; from: number; to: number; webhookId?: string | undefined };

/**
 * Queues the events of a time window again, with unchanged ids. Returns the number of records. Throws if queueing
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

/** Yields an organization's records of all lists, oldest first, in arrays of `atOnce`; the last can be shorter. */
export async function* recordsInOrder(
  { organizationId, from, to }: RecordRange,
  atOnce = recordsPerQuery,
): AsyncGenerator<HistoryRecord[]> {
  const ranges = recordLists.flatMap((list) => recordsInShards(organizationId, list));
  let gathered: HistoryRecord[] = [];
  const batches = merged(
    ranges.map((range) => between(range, from, to)),
    { limit: atOnce },
  );
  for await (const { items } of batches) {
    gathered = gathered.concat(items.map(({ item }) => item as HistoryRecord));
    while (gathered.length >= atOnce) yield gathered.splice(0, atOnce);
  }
  if (gathered.length > 0) yield gathered;
}
