/** Publishing: from committed records to deliveries on the queue. */

import type { HistoryRecord } from '../accounts/records.ts';
import { externalReferences } from '../accounts/user.ts';
import { ulidFloor } from '../ids.ts';
import { spreadIn } from '../spread.ts';
import { get } from '../table/client.ts';
import { between, organizationKey, type Range, recordLists, recordsInShards } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { type Delivery, enqueue } from './delivery-queue.ts';
import { eventsOf, type WebhookEvent } from './events.ts';
import { allWebhooks, type Webhook } from './webhooks.ts';

const mostRemembered = 20_000;
// Of batches that went only partly: when the stream hands them over again, what is on the queue stays as it is.
const alreadyQueued = new Set<string>();

/**
 * Puts the events of records on the queue, once for every webhook of their organization that wants them. Returns the
 * index of the first record that is not wholly on it, or undefined if all are.
 */
export async function publish(records: HistoryRecord[]): Promise<number | undefined> {
  const webhooks = await webhooksOf(records);
  const told = records.filter(({ organization_id }) => webhooks.get(organization_id)!.length > 0);
  const references = await externalReferences(told);
  const planned = told.flatMap((record) =>
    eventsOf(record, references.get(record.user_id))
      .flatMap((event) => deliveriesOf(event, webhooks.get(record.organization_id)!))
      .map((delivery) => ({ delivery, index: records.indexOf(record) })),
  );
  const open = planned.filter(({ delivery }) => !alreadyQueued.has(nameOf(delivery)));
  const failed = new Set(await enqueue(open.map(({ delivery }) => delivery)));
  const first = open.find(({ delivery }) => failed.has(delivery))?.index;
  for (const { delivery, index } of planned) {
    // The stream hands over again what begins with the first failure, and nothing before it.
    if (first === undefined || index < first) alreadyQueued.delete(nameOf(delivery));
    else if (!failed.has(delivery)) remember(delivery);
  }
  return first;
}

async function webhooksOf(records: HistoryRecord[]): Promise<Map<string, Webhook[]>> {
  const organizations = [...new Set(records.map(({ organization_id }) => organization_id))];
  const found = await Promise.all(organizations.map(allWebhooks));
  return new Map(organizations.map((organization, index) => [organization, found[index]!]));
}

/** The deliveries that an event makes for webhooks. */
function deliveriesOf(event: WebhookEvent, webhooks: Webhook[]): Delivery[] {
  const body = JSON.stringify(event);
  return webhooks
    .filter(({ event: wanted }) => wanted === 'all' || wanted === event.type)
    .map((webhook) => deliveryOf(event, body, webhook));
}

const deliveryOf = ({ id, type }: WebhookEvent, body: string, webhook: Webhook): Delivery => ({
  organization_id: webhook.organization_id,
  webhook_id: webhook.webhook_id,
  event_id: id,
  event_type: type,
  body,
  attempt: 1,
});

const nameOf = ({ event_id, webhook_id }: Delivery) => `${event_id} ${webhook_id}`;

function remember(delivery: Delivery): void {
  if (alreadyQueued.size >= mostRemembered) alreadyQueued.delete(alreadyQueued.values().next().value!);
  alreadyQueued.add(nameOf(delivery));
}

/**
 * Publishes an organization's records of a time window anew (epoch milliseconds, `to` not included); their events
 * carry the ids that they had. Returns how many records there were. Throws if some could not be queued.
 */
export async function replay(organizationId: string, from: number, to: number): Promise<number> {
  let count = 0;
  const organization = await get(organizationKey(organizationId));
  const { shards } = spreadIn(organization?.spread);
  for (const range of recordLists.flatMap((list) => recordsInShards(organizationId, list, shards))) {
    // What a ULID of a time starts with is less than the ULID, and greater than those of earlier times.
    count += await replayAll(between(range, ulidFloor(from), ulidFloor(to)));
  }
  return count;
}

async function replayAll(range: Range): Promise<number> {
  let count = 0;
  for await (const items of batches(range, { limit: 500 })) {
    const records = items as HistoryRecord[];
    const failed = await publish(records);
    if (failed !== undefined) {
      throw new Error(`not all could be queued; go on from ${records[failed]!.date_created}`);
    }
    count += records.length;
  }
  return count;
}
