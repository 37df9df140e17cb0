/**
 * A webhook that is behind: its receiver has failed for a while, and no delivery is made for each event any more. All
 * events follow from records, which are in the table for good, so the webhook only notes since when it is told nothing,
 * and how far it has been told since; `catch-up.ts` goes on from there, step by step.
 */
import { isId, timeOfUlid, ulidFloor, ulidOf } from '../ids.ts';
import { log } from '../log.ts';
import { refusals } from '../refusals.ts';
import { update } from '../table/client.ts';
import { webhookKey } from '../table/webhook-keys.ts';
import { noticeType } from '../vocabulary.ts';
import { createdAt } from './audience.ts';
import { type CatchUp, type Delivery, enqueue } from './delivery-queue.ts';
import { askedAnew, type Behind, newlyBehind } from './receiver-state.ts';
import { updateWebhook, viewOf, type Webhook, type WebhookFields, type WebhookView } from './webhooks.ts';

/** How long a receiver fails before its webhook is behind. */
export const behindAfterMs = 60_000;
/** A webhook falls behind since so long ago at most, and as long before that for what is still on its way. */
const nearMs = 15 * 60_000;
// Longer than a message waits where nothing is wrong.
const overdueAfterMs = 20 * 60_000;

/** The time of the record that a delivery tells of; undefined for what tells of none: invocations and notices. */
export const recordTimeOf = ({ event_id, event_type }: Delivery): number | undefined =>
  event_type === 'invoke' || event_type === noticeType || !isId('evt', event_id)
    ? undefined
    : timeOfUlid(ulidOf(event_id));

/** Whether the events of a record of some time are the catch-up's to tell, and no delivery is to be made for them. */
export const isLeftToCatchUp = ({ behind }: Webhook, at: number): boolean =>
  behind !== undefined && at >= behind.since && at < (behind.until ?? Number.POSITIVE_INFINITY);

/** Since when a webhook is behind that has failed since a time. It is told of nothing from before it was registered. */
export const behindSince = (webhook: Webhook, failingSince: string, now: number): number =>
  Math.max(Date.parse(failingSince) - behindAfterMs, now - nearMs, createdAt(webhook));

/** The webhook, behind as it fails; undefined if it is already, or fails no more. */
export async function fallBehind(webhook: Webhook, now: number): Promise<Webhook | undefined> {
  const { failing_since, disabled_at } = webhook;
  if (failing_since === undefined || disabled_at !== undefined) return undefined;
  const behind = newlyBehind(behindSince(webhook, failing_since, now), now);
  const written = await update({
    ...change(webhook, 'SET behind = :behind'),
    ConditionExpression:
      'failing_since = :since AND attribute_not_exists(disabled_at) AND attribute_not_exists(behind)',
    ExpressionAttributeValues: { ':behind': behind, ':since': failing_since, ':one': 1 },
  });
  return written ? { ...webhook, behind } : undefined;
}

/** Leaves all events of a webhook to its catch-up again, which was about to end. */
export async function stayBehind(webhook: Webhook, now: number): Promise<void> {
  const behind = askedAnew(webhook.behind!, now);
  // Unless others did.
  if (await moveOn(webhook, behind)) await queueNextStep({ ...webhook, behind });
}

/** Until when a webhook that is behind was told all. */
export const toldUntil = ({ at }: Pick<Behind, 'at'>): number => timeOfUlid(at.slice(0, 10).padEnd(26, '0'));

/** Writes how a webhook is behind from now on, or that it is no more. Returns false if that has changed meanwhile. */
export function moveOn(webhook: Webhook, next: Behind | undefined): Promise<boolean> {
  return update({
    ...change(webhook, next ? 'SET behind = :next' : 'REMOVE behind'),
    ConditionExpression: 'behind = :behind',
    ExpressionAttributeValues: { ':behind': webhook.behind, ...(next && { ':next': next }), ':one': 1 },
  });
}

const change = ({ organization_id, webhook_id }: Webhook, what: string) => ({
  Key: webhookKey(organization_id, webhook_id),
  UpdateExpression: `${what} ADD version :one`,
});

/**
 * The webhook, behind since the oldest of some events that were on their way when it fell behind: as long as nothing was
 * told since. Unless it can be noted, it stays as it is.
 */
export async function leaveNear(webhook: Webhook, times: number[]): Promise<Webhook> {
  const { behind } = webhook;
  if (!behind || behind.at !== ulidFloor(behind.since)) return webhook;
  const oldest = Math.min(...times.filter((at) => at >= behind.since - nearMs));
  if (oldest >= behind.since) return webhook;
  // Of the others some are a little older: one write for those of a minute.
  const since = Math.max(oldest - 60_000, createdAt(webhook));
  const next = { ...behind, since, at: ulidFloor(since) };
  const isMoved = await moveOn(webhook, next).catch((error: unknown) => {
    log.failure('leaving events to a catch-up', error, { webhook_id: webhook.webhook_id });
    return false;
  });
  return isMoved ? { ...webhook, behind: next } : webhook;
}

/** Whether the next step of a webhook's catch-up has been due for so long that its message may be lost. */
export const isOverdue = ({ behind, disabled_at }: Webhook, now: number): boolean =>
  behind !== undefined && disabled_at === undefined && now > behind.due + overdueAfterMs;

/** Notes that the next step of a webhook's catch-up is due now. Returns false if others did, or if it could not. */
export const dueNow = (webhook: Webhook): Promise<boolean> =>
  moveOn(webhook, { ...webhook.behind!, due: Date.now() }).catch((error: unknown) => {
    log.failure('waking a catch-up', error, { webhook_id: webhook.webhook_id });
    return false;
  });

/** The message for the next step of a webhook that is behind; with 0 for one that may be about to be. */
export const stepOf = ({ organization_id, webhook_id, behind }: Webhook): CatchUp => ({
  organization_id,
  webhook_id,
  step: behind?.step ?? 0,
});

/** Queues the next step of a webhook that is behind, maybe once too often. Throws `outcome_unknown` if it could not. */
export async function queueNextStep(webhook: Webhook): Promise<void> {
  if (webhook.behind && (await enqueue([stepOf(webhook)])).length > 0) throw refusals.outcomeUnknown();
}

/**
 * Changes a webhook, and switches it on if it was off: what it was not told meanwhile its callback, as it is now, is told
 * from now on. Throws `Invalid webhook ID`.
 */
export async function changeWebhook(
  organizationId: string,
  webhookId: string,
  fields: WebhookFields,
  now: number,
): Promise<WebhookView> {
  const webhook = await updateWebhook(organizationId, webhookId, fields, now);
  await queueNextStep(webhook);
  return viewOf(webhook);
}
