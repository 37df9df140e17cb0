/**
 * Checks backlog steps five minutes later, because the index `byTime` lags behind the table. If the number of records
 * in a step's range has changed, queues the events of all records in the range again.
 */
import { timeOfUlid } from '../ids.ts';
import { log } from '../log.ts';
import { get } from '../table/client.ts';
import { between, recordLists, recordsInShards, timeSortKey } from '../table/keys.ts';
import { countItems } from '../table/ranges.ts';
import { settledAfterMs } from '../table/settled.ts';
import { webhookKey } from '../table/webhook-keys.ts';
import { replacedFrom } from './audience.ts';
import { type BacklogCheck, enqueue, type Received, sendLater } from './delivery-queue.ts';
import { deliveriesOf } from './publishing.ts';
import { deliveredUntil, isOff } from './receiver.ts';
import { recordsInOrder } from './replay.ts';
import { moveReceiver } from './store-receiver.ts';
import { allWebhooks, type Webhook } from './webhooks.ts';

/** Age (milliseconds) at which records are counted again, for those that the index contained late. */
const countedAgainMs = 5 * settledAfterMs;

/**
 * Queues a backlog check in five minutes if a step was the backlog's last, or if it read records so recent that the
 * index may have lacked some.
 */
export async function queueCheck(
  { organization_id, webhook_id }: Webhook,
  read: Pick<BacklogCheck, 'from' | 'to' | 'records'>,
  isLast: boolean,
  now: number,
): Promise<void> {
  const isRecent = read.to > read.from && deliveredUntil({ cursor: read.to }) > now - countedAgainMs;
  // The check after the last step ends the receiver's state `checking`.
  if (isLast || isRecent) await sendLater({ organization_id, webhook_id, ...read }, countedAgainMs / 1000);
}

/**
 * Runs several backlog checks in parallel. Returns the messages whose check succeeded; SQS must redeliver the
 * others.
 */
export async function checkBacklog(
  messages: Received<BacklogCheck>[],
  now: number,
): Promise<Set<Received<BacklogCheck>>> {
  const settled = new Set<Received<BacklogCheck>>();
  await Promise.all(
    messages.map(async (message) => {
      try {
        await check(message, now);
        settled.add(message);
      } catch (error) {
        log.failure('backlog check', error, { ...message });
      }
    }),
  );
  return settled;
}

async function check(message: BacklogCheck, now: number): Promise<void> {
  const { organization_id, webhook_id, from, to, records } = message;
  const webhook = await get<Webhook>(webhookKey(organization_id, webhook_id));
  if (!webhook) return;
  const found = await recordsBetween(organization_id, from, to);
  if (found !== records && !isOff(webhook)) {
    log.info('backlog delivered again', { ...message, found });
    await deliverAgain(webhook, message);
  }
  await moveReceiver(webhook, { type: 'backlogChecked', to, now });
}

async function recordsBetween(organizationId: string, from: string, to: string): Promise<number> {
  if (to <= from) return 0;
  const ranges = recordLists.flatMap((list) => recordsInShards(organizationId, list));
  const counts = await Promise.all(ranges.map((range) => countItems(between(range, from, to))));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Queues the webhook's events of all records in the check's range again. Throws if SQS did not accept all events. */
async function deliverAgain(webhook: Webhook, { from, to }: BacklogCheck): Promise<void> {
  const organizationId = webhook.organization_id;
  const replaced = replacedFrom(webhook, await allWebhooks(organizationId));
  for await (const records of recordsInOrder({ organizationId, from, to })) {
    const deliveries = deliveriesOf(records, ({ type }, record) =>
      timeOfUlid(timeSortKey(record)) < replaced[type] ? [webhook] : [],
    );
    const failed = await enqueue(deliveries.map(({ delivery }) => ({ ...delivery, from_backlog: true })));
    if (failed.length > 0) throw new Error('some events of a backlog could not be queued again');
  }
}
