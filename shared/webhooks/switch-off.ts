/** Switches off a webhook whose receiver has failed for five days. Notifies the organization's other webhooks. */
import { digest80, idOf, ulidFloor } from '../ids.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { noticeType } from '../vocabulary.ts';
import { webhooksToNotify } from './audience.ts';
import { enqueue } from './delivery-queue.ts';
import { moveReceiver } from './store-receiver.ts';
import { allWebhooks, type Webhook } from './webhooks.ts';

/** Switches a webhook off. Does nothing if the state of its receiver has changed since the webhook was read. */
export async function switchOff(webhook: Webhook, now: number): Promise<void> {
  const switched = await moveReceiver(webhook, { type: 'gaveUp', now });
  if (!switched) return;
  const { organization_id, webhook_id, receiver } = switched;
  const { failing_since, disabled_at, disabled_reason } = receiver!;
  log.warn('webhook disabled', {
    organization_id,
    webhook_id,
    failing_since,
    disabled_at,
    disabled_reason,
  });
  count('WebhooksSwitchedOff', 1);
  await notifyOthers(switched, now);
}

/**
 * Queues a `webhook_disabled` event for each webhook in `webhooksToNotify`, unless already queued. Throws if an event
 * could not be queued.
 */
export async function notifyOthers(webhook: Webhook, now: number): Promise<void> {
  if (!webhook.receiver?.notice_due) return;
  const notice = noticeOf(webhook);
  const others = webhooksToNotify(webhook, await allWebhooks(webhook.organization_id));
  const failed = await enqueue(
    others.map(({ organization_id, webhook_id }) => ({
      organization_id,
      webhook_id,
      event_id: notice.id,
      event_type: notice.type,
      notice,
      attempt: 1,
    })),
  );
  if (failed.length > 0) throw new Error('some webhooks were not notified that another one was switched off');
  await moveReceiver(webhook, { type: 'noticeSent', now });
}

/**
 * Builds the `webhook_disabled` event of a switched-off webhook. Its id is always the same for one switch-off, so
 * receivers recognize duplicates.
 */
function noticeOf({ organization_id, webhook_id, callback_url, event, receiver, version }: Webhook) {
  const { failing_since, disabled_at, disabled_reason } = receiver!;
  const ulidTime = ulidFloor(Date.parse(disabled_at!));
  return {
    id: idOf('evt', ulidTime + digest80(`${noticeType}\n${organization_id}\n${webhook_id}\n${disabled_at}`)),
    type: noticeType,
    timestamp: disabled_at,
    // In other events, `sequence` is the user's event counter. This event has no user and uses the webhook's
    // version.
    sequence: version,
    data: { webhook_id, callback_url, event, failing_since, disabled_at, reason: disabled_reason },
  };
}
