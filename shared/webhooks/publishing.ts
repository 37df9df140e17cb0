import { recordListOf } from '../accounts/records.ts';
import { timeOfUlid, ulidOf } from '../ids.ts';
import { timeSortKey } from '../table/keys.ts';
import { type Audience, audienceOf } from './audience.ts';
import { type Delivery, enqueueDeliveries } from './delivery-queue.ts';
import { type EventRecord, eventsOf, type WebhookEvent } from './events.ts';
import { isEventMissed } from './receiver.ts';
import { readWebhooks, type Webhook } from './webhooks.ts';

const maxRemembered = 20_000;
// Deliveries queued in a stream batch that failed. A retry of the batch does not queue them again.
const alreadyQueued = new Set<string>();

/**
 * Queues records' events for subscribed webhooks, except events that a replay sends later. Returns the index of the
 * first record with an unqueued event, or undefined.
 */
export async function publishEvents(records: EventRecord[]): Promise<number | undefined> {
  const audiences = await audiencesOf(records);
  const relevant = records.filter(({ organization_id }) => audiences.has(organization_id));
  const deliveries = deliveriesOf(relevant, ({ type, id }, { organization_id }) => {
    const at = timeOfUlid(ulidOf(id));
    return audiences.get(organization_id)!(type, at).filter((webhook) => !isEventMissed(webhook, at));
  });
  const planned = deliveries.map(({ delivery, record }) => ({ delivery, index: records.indexOf(record) }));
  const unqueued = planned.filter(({ delivery }) => !alreadyQueued.has(nameOf(delivery)));
  const { failed } = await enqueueDeliveries(unqueued.map(({ delivery }) => delivery));
  const firstFailed = unqueued.find(({ delivery }) => failed.includes(delivery))?.index;
  for (const { delivery, index } of planned) {
    // The stream retries from the first failed record on, so deliveries of earlier records need not be
    // remembered.
    if (firstFailed === undefined || index < firstFailed) alreadyQueued.delete(nameOf(delivery));
    else if (!failed.includes(delivery)) rememberQueued(delivery);
  }
  return firstFailed;
}

/** By organization. Leaves out organizations without webhooks. */
async function audiencesOf(records: EventRecord[]): Promise<Map<string, Audience>> {
  const organizations = [...new Set(records.map(({ organization_id }) => organization_id))];
  const found = await Promise.all(organizations.map(readWebhooks));
  return new Map(
    organizations.flatMap((organization, index) => {
      const webhooks = found[index]!;
      return webhooks.length > 0 ? [[organization, audienceOf(webhooks)] as const] : [];
    }),
  );
}

/** `webhooksFor` returns the webhooks that receive an event. */
export const deliveriesOf = (
  records: EventRecord[],
  webhooksFor: (event: WebhookEvent, record: EventRecord) => Webhook[],
): { delivery: Delivery; record: EventRecord }[] =>
  records.flatMap((record) =>
    eventsOf(record).flatMap((event) =>
      webhooksFor(event, record).map((webhook) => ({ delivery: deliveryOf(event, record, webhook), record })),
    ),
  );

const deliveryOf = ({ id, type }: WebhookEvent, record: EventRecord, webhook: Webhook): Delivery => ({
  organization_id: webhook.organization_id,
  webhook_id: webhook.webhook_id,
  event_id: id,
  event_type: type,
  record: placeOf(record),
  attempt: 1,
});

const placeOf = (record: EventRecord): NonNullable<Delivery['record']> => {
  const ulid = timeSortKey(record);
  if (record.kind === 'actions') return { user_id: record.about?.user_id ?? '', list: 'actions', ulid };
  return { user_id: record.user_id, list: recordListOf(record), ulid };
};

const nameOf = ({ event_id, webhook_id }: Delivery) => `${event_id} ${webhook_id}`;

function rememberQueued(delivery: Delivery): void {
  if (alreadyQueued.size >= maxRemembered) alreadyQueued.delete(alreadyQueued.values().next().value!);
  alreadyQueued.add(nameOf(delivery));
}
