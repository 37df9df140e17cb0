/** How a receiver is: since when it has failed, and what follows if that goes on for days. */
import { digest80, idOf, ulidFloor } from '../ids.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { update } from '../table/client.ts';
import { webhookKey } from '../table/webhook-keys.ts';
import { isoOf } from '../time.ts';
import { noticeType } from '../vocabulary.ts';
import { othersThan } from './audience.ts';
import { behindAfterMs, behindSince, stayBehind, stepOf } from './behind.ts';
import { enqueue } from './delivery-queue.ts';
import { allWebhooks, type Webhook } from './webhooks.ts';

/** For how long a receiver may fail without one success. */
export const longestFailureMs = 5 * 24 * 60 * 60 * 1000;

/** What an attempt says of its receiver; with its number, and the time of the record that it told of, if any. */
export type Sign = { ok: boolean; attempt: number; recordTime: number | undefined };

// A receiver that is well answers most first attempts, and is asked for a second one seconds later.
const tellingAttempt = 2;
const isFailing = 'failing_since = :since AND attribute_not_exists(disabled_at)';

/**
 * Notes what attempts of a moment say of a webhook, read before them: nothing is written as long as it is well. One
 * that has failed for a minute without a success falls behind, by a message of its own; after five days it is switched
 * off, and the others are told.
 */
export async function noteHealth(webhook: Webhook, signs: Sign[], now: number): Promise<void> {
  const { failing_since, disabled_at, behind } = webhook;
  if (disabled_at !== undefined) return tellOthers(webhook);
  if (signs.some(({ ok }) => ok)) return failing_since === undefined ? undefined : noteSuccess(webhook);
  if (failing_since === undefined) {
    if (signs.some(({ attempt }) => attempt >= tellingAttempt)) await noteFailure(webhook, now);
  } else if (now - Date.parse(failing_since) >= longestFailureMs) {
    await switchOff(webhook, now);
  } else if (now - Date.parse(failing_since) >= behindAfterMs) {
    // Not for what failed long ago and is only tried once more.
    const isNear = signs.some(({ recordTime = 0 }) => recordTime >= behindSince(webhook, failing_since, now));
    if (!isNear) return;
    if (behind) return behind.until === undefined ? undefined : stayBehind(webhook, now);
    if ((await enqueue([stepOf(webhook)])).length > 0) throw new Error('no step could be queued');
  }
}

const change = ({ organization_id, webhook_id }: Webhook) => ({
  Key: webhookKey(organization_id, webhook_id),
});

async function noteFailure(webhook: Webhook, now: number): Promise<void> {
  await update({
    ...change(webhook),
    UpdateExpression: 'SET failing_since = :now ADD version :one',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(failing_since)',
    ExpressionAttributeValues: { ':now': isoOf(now), ':one': 1 },
  });
}

async function noteSuccess(webhook: Webhook): Promise<void> {
  await update({
    ...change(webhook),
    UpdateExpression: 'REMOVE failing_since ADD version :one',
    ConditionExpression: isFailing,
    ExpressionAttributeValues: { ':since': webhook.failing_since, ':one': 1 },
  });
}

async function switchOff(webhook: Webhook, now: number): Promise<void> {
  const { failing_since, webhook_id, organization_id } = webhook;
  const off = {
    disabled_at: isoOf(now),
    disabled_reason: `no delivery has succeeded since ${failing_since}`,
  };
  const written = await update({
    ...change(webhook),
    // That the notice is due is noted with it, so that a crash before it was queued loses nothing.
    UpdateExpression: 'SET disabled_at = :at, disabled_reason = :reason, notice_due = :yes ADD version :one',
    ConditionExpression: isFailing,
    ExpressionAttributeValues: {
      ':since': failing_since,
      ':at': off.disabled_at,
      ':reason': off.disabled_reason,
      ':yes': true,
      ':one': 1,
    },
  });
  if (!written) return;
  log.warn('webhook switched off', { organization_id, webhook_id, failing_since, ...off });
  count('WebhooksSwitchedOff', 1);
  await tellOthers({ ...webhook, ...off, notice_due: true, version: webhook.version + 1 });
}

/** Tells the organization's other webhooks that one was switched off, unless that was done. */
async function tellOthers(webhook: Webhook): Promise<void> {
  if (!webhook.notice_due) return;
  const notice = noticeOf(webhook);
  const others = othersThan(webhook, await allWebhooks(webhook.organization_id));
  const failed = await enqueue(
    others.map(({ organization_id, webhook_id }) => ({
      organization_id,
      webhook_id,
      event_id: notice.id,
      event_type: notice.type,
      body: JSON.stringify(notice),
      attempt: 1,
    })),
  );
  if (failed.length > 0) throw new Error('not all could be told that a webhook was switched off');
  await update({
    ...change(webhook),
    UpdateExpression: 'REMOVE notice_due ADD version :one',
    ConditionExpression: 'disabled_at = :at AND attribute_exists(notice_due)',
    ExpressionAttributeValues: { ':at': webhook.disabled_at, ':one': 1 },
  });
}

/** The event with which others are told; its id follows from the webhook and the time, so that a duplicate carries it. */
export function noticeOf(webhook: Webhook) {
  const { organization_id, webhook_id, callback_url, event, failing_since, disabled_at, disabled_reason } =
    webhook;
  const at = ulidFloor(Date.parse(disabled_at!));
  return {
    id: idOf('evt', at + digest80(`${noticeType}\n${organization_id}\n${webhook_id}\n${disabled_at}`)),
    type: noticeType,
    timestamp: disabled_at,
    // Of no user: it rises with each change of the webhook.
    sequence: webhook.version,
    data: { webhook_id, callback_url, event, failing_since, disabled_at, reason: disabled_reason },
  };
}
