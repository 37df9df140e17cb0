import { isId, newId, timeOfUlid, ulidOf } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { RETRY, retry } from '../retry.ts';
import { getItem, putItem, putOrReadExisting, transact, withOldItem } from '../table/client.ts';
import { type Key, type TimeKey, withoutTimeKey } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { unwellTimeKey, webhookCommonKey, webhookKey, webhooksOf } from '../table/webhook-keys.ts';
import { isoOf } from '../time.ts';
import type { EventType } from '../vocabulary.ts';
import { afterSwitchOn, type Receiver } from './receiver.ts';
import { decryptSecret, encryptSecret, newDataKey } from './secrets.ts';

export type Subscription = 'all' | EventType;

export type Webhook = Key &
  Partial<TimeKey> & {
    organization_id: string;
    webhook_id: string;
    callback_url: string;
    event: Subscription;
    /** Copy of the organization's encrypted data key, so decrypting secrets takes no other read. */
    data_key: string;
    secret: string;
    /** Replaced secrets. Each one still signs calls until its time `until` (epoch milliseconds). */
    previous: { secret: string; until: number }[];
    /** Last change of the callback URL or event type (epoch milliseconds). Absent if neither has changed. */
    changed_at?: number;
    version: number;
    date_created: string;
    /** Absent while calls to the receiver succeed. */
    receiver?: Receiver;
  };
export type WebhookView = {
  webhook_id: string;
  callback_url: string;
  secret_key: string;
  event: Subscription;
  failing_since?: string | undefined;
  disabled_at?: string | undefined;
  disabled_reason?: string | undefined;
};
/** If `event` is absent, a new webhook subscribes to `all`, and an existing webhook keeps its subscription. */
export type WebhookFields = {
  callback_url: string;
  secret_key: string;
  event?: Subscription | undefined;
};

/** Registration time (epoch milliseconds). Only a replay for this webhook sends it events of earlier records. */
export const webhookCreatedAt = ({ webhook_id }: Webhook): number => timeOfUlid(ulidOf(webhook_id));

/** Maximum webhooks per organization: limited, because each event is queued once per URL. */
export const maxWebhooks = 100;
export const secretRotationMs = 24 * 60 * 60 * 1000;
// Maximum replaced secrets that still sign calls. With more than three changes a day, the oldest secret stops
// signing early.
const maxPrevious = 3;

/** Webhooks with equal results have the same receiver. */
export function receiverUrl({ callback_url }: Pick<Webhook, 'callback_url'>): string {
  const url = new URL(callback_url);
  // HTTP requests do not contain the fragment (`#…`), so URLs that differ only in the fragment have the same receiver.
  url.hash = '';
  return url.href;
}

/** Registers or updates the webhook of this URL and type: hosts may register at every start. Throws beyond 100. */
export async function registerWebhook(
  organizationId: string,
  fields: WebhookFields,
  now: number,
): Promise<WebhookView> {
  const { callback_url, secret_key, event = 'all' } = fields;
  const url = receiverUrl(fields);
  const webhookId = await retry(async () => {
    const existing = (await readWebhooks(organizationId)).findLast(
      (webhook) => webhook.event === event && receiverUrl(webhook) === url,
    );
    if (!existing) return createWebhook(organizationId, { ...fields, event }, now);
    const updated = await update(existing, { ...fields, event }, now);
    return updated?.webhook_id ?? RETRY;
  });
  return { webhook_id: webhookId, callback_url, secret_key, event };
}

async function createWebhook(
  organizationId: string,
  { callback_url, secret_key, event }: WebhookFields & { event: Subscription },
  now: number,
): Promise<string | typeof RETRY> {
  const webhookId = newId('wh', now);
  const owner = { organization_id: organizationId, webhook_id: webhookId };
  const common = await getItem<{ data_key: string }>(webhookCommonKey(organizationId));
  const dataKey = common?.data_key ?? (await newDataKey(organizationId));
  const webhook: Webhook = {
    ...webhookKey(organizationId, webhookId),
    ...owner,
    callback_url,
    event,
    data_key: dataKey,
    secret: await encryptSecret(secret_key, dataKey, owner),
    previous: [],
    version: 1,
    date_created: isoOf(now),
  };
  const failed = await transact({ common: countOne(organizationId, dataKey), webhook: putNew(webhook) });
  if (!failed) return webhookId;
  if (Number(failed.common?.webhooks) >= maxWebhooks) throw refusals.tooManyWebhooks(maxWebhooks);
  return RETRY;
}

const sameDataKey = '(attribute_not_exists(data_key) OR data_key = :dataKey)';
const roomForOne = '(attribute_not_exists(webhooks) OR webhooks < :most)';

const countOne = (organizationId: string, dataKey: string) => ({
  Update: {
    Key: webhookCommonKey(organizationId),
    UpdateExpression: 'SET data_key = :dataKey ADD webhooks :one',
    ConditionExpression: `${sameDataKey} AND ${roomForOne}`,
    ExpressionAttributeValues: { ':dataKey': dataKey, ':one': 1, ':most': maxWebhooks },
    ...withOldItem,
  },
});
const putNew = (webhook: Webhook) => ({
  Put: { Item: webhook, ConditionExpression: 'attribute_not_exists(pk)' },
});

/** Throws `webhookNotFound` if the organization has no webhook with this id. */
export async function readWebhook(organizationId: string, webhookId: string): Promise<Webhook> {
  if (!isId('wh', webhookId)) throw refusals.webhookNotFound();
  const webhook = await getItem<Webhook>(webhookKey(organizationId, webhookId));
  if (!webhook) throw refusals.webhookNotFound();
  return webhook;
}

/** Throws the refusal for a suspended organization, or `webhookNotFound` if the webhook does not exist. */
export async function throwSuspended(organizationId: string, webhookId: string): Promise<never> {
  await readWebhook(organizationId, webhookId);
  throw refusals.onHold('organization_suspended');
}

export async function webhookViewOf(webhook: Webhook): Promise<WebhookView> {
  const { webhook_id, callback_url, event, receiver } = webhook;
  return {
    webhook_id,
    callback_url,
    secret_key: await decryptSecret(webhook.secret, webhook.data_key, webhook),
    event,
    failing_since: receiver?.failing_since,
    disabled_at: receiver?.disabled_at,
    disabled_reason: receiver?.disabled_reason,
  };
}

/** Returns the secrets that sign calls at the time `now` (epoch milliseconds), decrypted and newest first. */
export function decryptSecrets(webhook: Webhook, now: number): Promise<string[]> {
  const previous = webhook.previous.filter(({ until }) => until > now).map(({ secret }) => secret);
  return Promise.all(
    [webhook.secret, ...previous].map((secret) => decryptSecret(secret, webhook.data_key, webhook)),
  );
}

/** A paused or off webhook gets a probe in the next sweep. Replaced secrets sign for 24 hours. Throws if not found. */
export async function updateWebhook(
  organizationId: string,
  webhookId: string,
  fields: WebhookFields,
  now: number,
): Promise<Webhook> {
  return retry(async () => {
    const before = await readWebhook(organizationId, webhookId);
    return (await update(before, fields, now)) ?? RETRY;
  });
}

async function update(before: Webhook, fields: WebhookFields, now: number): Promise<Webhook | undefined> {
  const after = await changedWebhook(before, fields, now);
  return (await putItem(after, webhookUnchanged(before))) ? after : undefined;
}

export const webhookUnchanged = ({ version }: Webhook) => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

async function changedWebhook(before: Webhook, fields: WebhookFields, now: number): Promise<Webhook> {
  const { callback_url, secret_key, event = before.event } = fields;
  const on = withReceiver(before, afterSwitchOn(before.receiver));
  const after = { ...on, callback_url, event, version: before.version + 1 };
  if (callback_url !== before.callback_url || event !== before.event) after.changed_at = now;
  if ((await decryptSecret(before.secret, before.data_key, before)) === secret_key) return after;
  const previous = [{ secret: before.secret, until: now + secretRotationMs }, ...before.previous]
    .filter(({ until }) => until > now)
    .slice(0, maxPrevious);
  return { ...after, secret: await encryptSecret(secret_key, before.data_key, before), previous };
}

/** Returns the webhook with the receiver, listed for the sweep unless the receiver is well or off. */
export function withReceiver(before: Webhook, receiver?: Receiver): Webhook {
  const { receiver: _, ...webhook } = withoutTimeKey(before);
  const { organization_id, webhook_id } = webhook;
  const isListed = receiver !== undefined && receiver.state !== 'off';
  return {
    ...webhook,
    ...(receiver && { receiver }),
    ...(isListed && unwellTimeKey(organization_id, webhook_id)),
  };
}

/**
 * Replaces the stored receiver by the result of `change`. Returns the stored webhook, or undefined if it is deleted.
 */
export async function changeReceiver(
  webhook: Webhook,
  change: (receiver: Receiver | undefined) => Receiver | undefined,
): Promise<Webhook | undefined> {
  let current = webhook;
  for (;;) {
    const receiver = change(current.receiver);
    if (receiver === current.receiver) return current;
    const moved = { ...withReceiver(current, receiver), version: current.version + 1 };
    const stored = (await putOrReadExisting(moved, webhookUnchanged(current))) as Webhook | undefined;
    if (!stored) return moved;
    if (stored.pk === undefined) return undefined;
    current = stored;
  }
}

export async function deleteWebhook(organizationId: string, webhookId: string): Promise<void> {
  if (!isId('wh', webhookId)) throw refusals.webhookNotFound();
  const failed = await retry(() => transact(deletionOf(organizationId, webhookId)));
  if (failed) throw refusals.webhookNotFound();
}

const deletionOf = (organizationId: string, webhookId: string) => ({
  webhook: {
    Delete: {
      Key: webhookKey(organizationId, webhookId),
      ConditionExpression: 'attribute_exists(pk)',
    },
  },
  common: {
    Update: {
      Key: webhookCommonKey(organizationId),
      UpdateExpression: 'ADD webhooks :less',
      ExpressionAttributeValues: { ':less': -1 },
    },
  },
});

export async function readWebhooks(organizationId: string): Promise<Webhook[]> {
  return (await readRange(webhooksOf(organizationId), { consistent: true })) as Webhook[];
}
