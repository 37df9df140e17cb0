/** Updates the state of a receiver after attempts. */
import { log } from '../log.ts';
import { sendLater } from './delivery-queue.ts';
import { failedForMs, fallBehindAfterMs, isNear, isOff, longestFailureMs, openBacklog } from './receiver.ts';
import { moveReceiver, queueNextStep, stepOf } from './store-receiver.ts';
import { notifyOthers, switchOff } from './switch-off.ts';
import type { Webhook } from './webhooks.ts';

/** What an attempt shows: whether it arrived, its number, and the time of the record that it told of, if any. */
export type AttemptResult = { ok: boolean; attempt: number; recordTime: number | undefined };

// A well receiver answers most first attempts, and gets a second one seconds later.
const tellingAttempt = 2;

/**
 * Updates a receiver's state after attempts of one moment, for which its webhook was read. A receiver that stays well
 * costs no write. Never throws: a later attempt shows what this one could not store.
 */
export async function noteAttempts(
  webhook: Webhook | undefined,
  results: AttemptResult[],
  now: number,
): Promise<void> {
  if (!webhook) return;
  const { organization_id, webhook_id } = webhook;
  await react(webhook, results, now).catch((error: unknown) =>
    log.failure("storing a receiver's state", error, { organization_id, webhook_id }),
  );
}

async function react(webhook: Webhook, results: AttemptResult[], now: number): Promise<void> {
  if (isOff(webhook)) return notifyOthers(webhook, now);
  if (results.length === 0) return;
  if (results.some(({ ok }) => ok)) {
    const moved = await moveReceiver(webhook, { type: 'succeeded', now });
    return moved && queueNextStep(moved);
  }
  if (failedForMs(webhook, now) >= longestFailureMs) return switchOff(webhook, now);
  const near = results.some(({ recordTime }) => isNear(recordTime, now));
  if (webhook.receiver?.state === 'failing') {
    const isDue = failedForMs(webhook, now) >= fallBehindAfterMs;
    return near && isDue ? sendLater(stepOf(webhook), 0) : undefined;
  }
  const isTelling = results.some(({ attempt }) => attempt >= tellingAttempt);
  if (!isTelling || (openBacklog(webhook) && !near)) return;
  const moved = await moveReceiver(webhook, { type: 'failed', now });
  if (moved?.receiver?.state === 'failing' && near) await sendLater(stepOf(moved), fallBehindAfterMs / 1000);
  else if (moved) await queueNextStep(moved);
}
