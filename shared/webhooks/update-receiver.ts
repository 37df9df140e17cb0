import { log } from '../log.ts';
import { sendLater } from './delivery-queue.ts';
import { failedForMs, fallBehindAfterMs, isOff, isRecent, maxFailureMs, openBacklog } from './receiver.ts';
import { moveReceiver, queueNextStep, stepOf } from './store-receiver.ts';
import { notifyOthers, switchOff } from './switch-off.ts';
import type { Webhook } from './webhooks.ts';

/**
 * `ok`: whether the receiver accepted the attempt. `recordTime`: time of the event's record, if any (epoch
 * milliseconds).
 */
export type AttemptResult = { ok: boolean; attempt: number; recordTime: number | undefined };

// Failures count from the second attempt on, because first attempts often fail even at healthy receivers.
const significantAttempt = 2;

/**
 * Updates a receiver's health after a batch of attempts. Only logs errors, because a later attempt updates
 * the state.
 */
export async function updateReceiver(
  webhook: Webhook | undefined,
  results: AttemptResult[],
  now: number,
): Promise<void> {
  if (!webhook) return;
  const { organization_id, webhook_id } = webhook;
  await applyResults(webhook, results, now).catch((error: unknown) =>
    log.failure("storing a receiver's state", error, { organization_id, webhook_id }),
  );
}

async function applyResults(webhook: Webhook, results: AttemptResult[], now: number): Promise<void> {
  if (isOff(webhook)) return notifyOthers(webhook, now);
  if (results.length === 0) return;
  if (results.some(({ ok }) => ok)) {
    const moved = await moveReceiver(webhook, { type: 'succeeded', now });
    return moved && queueNextStep(moved);
  }
  if (failedForMs(webhook, now) >= maxFailureMs) return switchOff(webhook, now);
  const isAnyRecent = results.some(({ recordTime }) => isRecent(recordTime, now));
  if (webhook.receiver?.state === 'failing') {
    const isDue = failedForMs(webhook, now) >= fallBehindAfterMs;
    return isAnyRecent && isDue ? sendLater(stepOf(webhook), 0) : undefined;
  }
  const isSignificant = results.some(({ attempt }) => attempt >= significantAttempt);
  if (!isSignificant || (openBacklog(webhook) && !isAnyRecent)) return;
  const moved = await moveReceiver(webhook, { type: 'failed', now });
  if (moved?.receiver?.state === 'failing' && isAnyRecent)
    await sendLater(stepOf(moved), fallBehindAfterMs / 1000);
  else if (moved) await queueNextStep(moved);
}
