/** Publishing: from committed records to deliveries on the queue. */

import type { HistoryRecord } from '../accounts/records.ts';
import { externalReferences } from '../accounts/user.ts';
import { timeOfUlid, ulidOf } from '../ids.ts';
import { log } from '../log.ts';
import { shardOf } from '../shards.ts';
import { type Audience, audienceOf } from './audience.ts';
import { type Delivery, enqueue } from './delivery-queue.ts';
import { eventsOf, type WebhookEvent } from './events.ts';
import { isLeftToBacklog, isStepLost } from './receiver.ts';
import { moveReceiver, stepOf } from './store-receiver.ts';
import { allWebhooks, type Webhook } from './webhooks.ts';

const mostRemembered = 20_000;
// Of batches that went only partly: when the stream hands them over again, what is on the queue stays as it is.
const alreadyQueued = new Set<string>();

/**
 * Puts the events of records on the queue, once for every webhook of their organization that wants them (of those with
 * the same callback, for the newest alone), or for the one with the id `only`, even if it was registered after the
 * records. An open backlog is left to its steps.
 * Returns the index of the first record that is not wholly on the queue, or undefined if all are.
 */
export async function publish(records: HistoryRecord[], only?: string): Promise<number | undefined> {
  const audiences = await audiencesOf(records, only);
  const told = records.filter(({ organization_id }) => audiences.has(organization_id));
  const made = await deliveriesOf(told, ({ type, id }, { organization_id }) => {
    const at = timeOfUlid(ulidOf(id));
    const audience = audiences.get(organization_id)!.audience(type, only === undefined ? at : Infinity);
    return audience.filter((webhook) => !isLeftToBacklog(webhook, at));
  });
  const planned = made.map(({ delivery, record }) => ({ delivery, index: records.indexOf(record) }));
  const open = planned.filter(({ delivery }) => !alreadyQueued.has(nameOf(delivery)));
  const failed = new Set(await enqueue(open.map(({ delivery }) => delivery)));
  const first = open.find(({ delivery }) => failed.has(delivery))?.index;
  for (const { delivery, index } of planned) {
    // The stream hands over again what begins with the first failure, and nothing before it.
    if (first === undefined || index < first) alreadyQueued.delete(nameOf(delivery));
    else if (!failed.has(delivery)) remember(delivery);
  }
  await wakeLost([...audiences.values()].flatMap(({ webhooks }) => webhooks));
  return first;
}

/** Queues the next steps of backlogs whose messages seem to be lost, such as with the dead letters of an outage. */
async function wakeLost(webhooks: Webhook[]): Promise<void> {
  const now = Date.now();
  const lost = webhooks.filter((webhook) => isStepLost(webhook, now));
  // Of many batches at once one wakes it.
  const woken = await Promise.all(
    lost.map((webhook) =>
      moveReceiver(webhook, { type: 'stepLost', now }).catch((error: unknown) => {
        log.failure('waking a backlog', error, { webhook_id: webhook.webhook_id });
        return undefined;
      }),
    ),
  );
  await enqueue(woken.flatMap((webhook) => (webhook ? [stepOf(webhook)] : [])));
}

type Listeners = { webhooks: Webhook[]; audience: Audience };

/** The webhooks of each organization that has some, or the one with the id `only`, and their audience. */
async function audiencesOf(records: HistoryRecord[], only?: string): Promise<Map<string, Listeners>> {
  const organizations = [...new Set(records.map(({ organization_id }) => organization_id))];
  const found = organizations.map(async (organization) => {
    const all = await allWebhooks(organization);
    const webhooks = only === undefined ? all : all.filter(({ webhook_id }) => webhook_id === only);
    return [organization, { webhooks, audience: audienceOf(webhooks) }] as const;
  });
  return new Map((await Promise.all(found)).filter(([, { webhooks }]) => webhooks.length > 0));
}

/** The deliveries of some records' events, in their order, to the webhooks that are named for each. */
export async function deliveriesOf(
  records: HistoryRecord[],
  webhooksFor: (event: WebhookEvent, record: HistoryRecord) => Webhook[],
): Promise<{ delivery: Delivery; record: HistoryRecord }[]> {
  const references = await externalReferences(records);
  return records.flatMap((record) =>
    eventsOf(record, references.get(record.user_id)).flatMap((event) => {
      const body = JSON.stringify(event);
      return webhooksFor(event, record).map((webhook) => ({
        delivery: { ...deliveryOf(event, body, webhook), shard: shardOf(record.user_id) },
        record,
      }));
    }),
  );
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
