/** Replays events: queues the events of past records again, in order, for operators and resumed receivers. */
import { timeOfUlid, ulidTimePart } from '../ids.ts';
import { actionsByTime, between, recordLists, recordsInShards, timeSortKey } from '../table/keys.ts';
import { mergeRanges } from '../table/merged.ts';
import { settledAfterMs } from '../table/settled.ts';
import type { EventType } from '../vocabulary.ts';
import { replacedFrom } from './audience.ts';
import { enqueueDeliveries } from './delivery-queue.ts';
import type { EventRecord } from './events.ts';
import { deliveriesOf, publishEvents } from './publishing.ts';
import type { MissedEvent } from './receiver.ts';
import { changeReceiver, readWebhooks, type Webhook } from './webhooks.ts';

const recordsPerQuery = 500;

/** A time window of an organization's records (epoch milliseconds, `to` excluded). */
export type ReplayWindow = { organizationId: string; from: number; to: number };

/** A webhook, and the times from which newer ones replace it (`replacedFrom`). */
type Recipient = { webhook: Webhook; replaced: Record<EventType, number> };

/** Queues a window's events again, with the same ids, for `recipient` or all subscribers. Yields queued records. */
export async function* requeueEvents(
  { organizationId, from, to }: ReplayWindow,
  recipient: Recipient | undefined,
  beforeFirst = async (): Promise<void> => {},
): AsyncGenerator<EventRecord[]> {
  let isFirst = true;
  // A ULID's time part sorts before all ULIDs of its millisecond and after all earlier ones.
  const range = { organizationId, from: ulidTimePart(from), to: ulidTimePart(to) };
  for await (const records of recordsInOrder(range)) {
    if (isFirst) await beforeFirst();
    isFirst = false;
    const failed = recipient ? await queueFor(recipient, records) : await publishEvents(records);
    if (failed !== undefined) {
      throw new Error(
        `Some events could not be queued. Continue with --from ${records[failed]!.date_created}`,
      );
    }
    yield records;
  }
}

async function queueFor(recipient: Recipient, records: EventRecord[]): Promise<number | undefined> {
  const deliveries = eventsFor(recipient, records);
  const { failed } = await enqueueDeliveries(deliveries.map(({ delivery }) => delivery));
  const first = deliveries.find(({ delivery }) => failed.includes(delivery));
  return first && records.indexOf(first.record);
}

const eventsFor = ({ webhook, replaced }: Recipient, records: EventRecord[]) =>
  deliveriesOf(records, ({ type }, record) => (timeOf(record) < replaced[type] ? [webhook] : []));
const timeOf = (record: EventRecord) => timeOfUlid(timeSortKey(record));

const recipientOf = async (webhook: Webhook): Promise<Recipient> => ({
  webhook,
  replaced: replacedFrom(webhook, await readWebhooks(webhook.organization_id)),
});

/**
 * Replays missed events until time is up or the receiver fails again. The cursor stays a minute behind now: the index
 * may lack newer records, so the next sweep sends that minute again.
 */
export async function replayMissed(
  webhook: Webhook,
  now: () => number,
  timeIsUp: () => boolean,
): Promise<void> {
  const { receiver, organization_id: organizationId } = webhook;
  if (receiver?.state !== 'resumed') return;
  const { missed_from: from, missed_to = 0 } = receiver;
  const settled = now() - settledAfterMs;
  let current: Webhook | undefined = webhook;
  const window = { organizationId, from, to: Math.min(missed_to, now()) };
  for await (const records of requeueEvents(window, await recipientOf(webhook))) {
    current = await moveCursor(current, Math.min(timeOf(records.at(-1)!), settled));
    if (!current || timeIsUp()) return;
  }
  await moveCursor(current, settled);
}

async function moveCursor({ receiver, ...webhook }: Webhook, cursor: number): Promise<Webhook | undefined> {
  const { missed_from: from, missed_to: to = 0 } = receiver!;
  const isSame = (stored: Webhook['receiver']) =>
    stored?.state === 'resumed' &&
    !stored.failing_since &&
    stored.missed_from === from &&
    stored.missed_to === to;
  let isMoved = false;
  const moved = await changeReceiver({ ...webhook, ...(receiver && { receiver }) }, (stored) => {
    isMoved = isSame(stored);
    if (!isMoved || cursor <= from) return stored;
    return cursor < to ? { ...stored!, missed_from: cursor } : undefined;
  });
  return isMoved ? moved : undefined;
}

const recordsPerScan = 20;
const maxScans = 25;

/** An event of a paused receiver, and the position after which the search for the next one begins. */
type Missed = { event?: MissedEvent; position: string | undefined };

/** Finds the first missed event after a position, among some 500 records. Without one, the next search begins anew. */
export async function findMissed(webhook: Webhook, after: string | undefined, now: number): Promise<Missed> {
  const recipient = await recipientOf(webhook);
  const { organization_id: organizationId, receiver } = webhook;
  const range = {
    organizationId,
    from: after?.slice(0, 26) ?? ulidTimePart(receiver!.missed_from),
    to: ulidTimePart(now),
  };
  let scans = 0;
  for await (const records of recordsInOrder(range, recordsPerScan)) {
    const events = eventsFor(recipient, records)
      .map(({ delivery: { event_id, event_type, record } }) => ({
        event: { event_id, event_type, record: record! },
        position: `${record!.ulid}${event_type}`,
      }))
      .sort((a, b) => (a.position < b.position ? -1 : 1));
    const next = events.find(({ position }) => after === undefined || position > after);
    if (next) return next;
    if (++scans === maxScans) return { position: `${timeSortKey(records.at(-1)!)}~` };
  }
  return { position: undefined };
}

/** The range of an organization's records whose ULIDs sort between `from` and `to`, both inclusive. */
type RecordRange = { organizationId: string; from: string; to: string };

/** Yields an organization's records of all lists, oldest first, in arrays of `atOnce`; the last can be shorter. */
async function* recordsInOrder(
  { organizationId, from, to }: RecordRange,
  atOnce = recordsPerQuery,
): AsyncGenerator<EventRecord[]> {
  const ofUsers = recordLists.flatMap((list) => recordsInShards(organizationId, list));
  const ranges = [...ofUsers, actionsByTime(organizationId)];
  let gathered: EventRecord[] = [];
  const batches = mergeRanges(
    ranges.map((range) => between(range, from, to)),
    { limit: atOnce },
  );
  for await (const { items } of batches) {
    gathered = gathered.concat(items.map(({ item }) => item as EventRecord));
    while (gathered.length >= atOnce) yield gathered.splice(0, atOnce);
  }
  if (gathered.length > 0) yield gathered;
}
