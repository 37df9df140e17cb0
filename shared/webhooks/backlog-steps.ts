/**
 * The steps of a backlog: each delivers a part of it, stores how far it came, and queues the next one. While
 * the receiver fails, steps ask with a few events, and come more and more rarely.
 */

import { ulidFloor } from '../ids.ts';
import { log } from '../log.ts';
import { get } from '../table/client.ts';
import { webhookKey } from '../table/webhook-keys.ts';
import type { DeliveryDeps } from './attempt.ts';
import { checkLater } from './check-backlog.ts';
import { type Delivered, deliverBacklog, newAttemptsForMs, readAfterMs } from './deliver-backlog.ts';
import { type BacklogStep, sendLater, type Taken } from './delivery-queue.ts';
import { reserve } from './pace.ts';
import {
  type Backlog,
  deliveredUntil,
  failedForMs,
  isOff,
  longestFailureMs,
  openBacklog,
  type ReceiverEvent,
  waitAfterFailure,
} from './receiver.ts';
import { jitter, longestRetryAfterSeconds } from './retry-schedule.ts';
import { moveReceiver, stepOf } from './store-receiver.ts';
import { switchOff } from './switch-off.ts';
import { createdAt, type Webhook } from './webhooks.ts';

/** The backlog ends so far ahead: longer than the clocks of functions differ. */
const endAheadMs = 10_000;
/** Time between the last steps, for which new records become readable. */
const stepEveryMs = 5_000;
// A step that was taken and whose next one is not queued yet may have broken off.
const brokenOffMs = 2 * 60_000;

/** Result of a step: the next one is queued, there is none, it came too early, or another one came in between. */
export type StepVerdict = 'went on' | 'over' | 'early' | 'repeated';

/** Takes a step for each message, all at a time. Returns those that are settled; the others have to come again. */
export async function takeSteps(
  messages: Taken<BacklogStep>[],
  deps: DeliveryDeps,
): Promise<Set<Taken<BacklogStep>>> {
  const settled = new Set<Taken<BacklogStep>>();
  await Promise.all(
    messages.map(async (message) => {
      try {
        const verdict = await takeStep(message, deps);
        log.info('backlog step', { ...message, verdict });
        settled.add(message);
      } catch (error) {
        log.failure('backlog step', error, { ...message, verdict: 'unsettled' });
      }
    }),
  );
  return settled;
}

/**
 * Takes the step of a message. Its result is stored before the next step is queued, and only then may the message be
 * taken off the queue: one that finds its step taken waits until the next one is taken too, or queues that once more.
 * Throws if it could not be stored or queued.
 */
async function takeStep(message: Taken<BacklogStep>, deps: DeliveryDeps): Promise<StepVerdict> {
  const webhook = await get<Webhook>(webhookKey(message.organization_id, message.webhook_id));
  if (!webhook || isOff(webhook)) return 'over';
  const backlog = openBacklog(webhook);
  if (!backlog) return message.step === 0 ? fallBehind(webhook, deps) : 'over';
  const taken = backlog.step - message.step;
  if (taken < 0 || taken > 1) return 'over';
  const early = backlog.due + (taken === 1 ? brokenOffMs : 0) - deps.now();
  if (early > 1000) {
    await sendLater(message, early / 1000);
    return 'early';
  }
  if (taken === 1) {
    await sendLater(stepOf(webhook), 0);
    return 'went on';
  }
  return goOn(webhook, backlog, message, deps);
}

async function fallBehind(webhook: Webhook, { now }: DeliveryDeps): Promise<StepVerdict> {
  const fallen = await moveReceiver(webhook, {
    type: 'stillFailing',
    now: now(),
    created: createdAt(webhook),
  });
  if (!fallen) return 'over';
  const { organization_id, webhook_id, receiver } = fallen;
  log.warn('webhook behind', { organization_id, webhook_id, failing_since: receiver!.failing_since });
  await sendLater(stepOf(fallen), 0);
  return 'went on';
}

async function goOn(
  webhook: Webhook,
  backlog: Backlog,
  message: Taken<BacklogStep>,
  deps: DeliveryDeps,
): Promise<StepVerdict> {
  const started = deps.now();
  const delivered = await deliverBacklog(webhook, backlog, message, deps);
  const now = deps.now();
  if (delivered.succeeded === 0 && delivered.sent > 0 && failedForMs(webhook, now) >= longestFailureMs) {
    await switchOff(webhook, now);
    return 'over';
  }
  const event = await eventOf(webhook, backlog, { ...delivered, tookMs: now - started }, deps);
  const isLast = event.type === 'backlogDone';
  await checkLater(
    webhook,
    { from: backlog.cursor, to: delivered.cursor, records: delivered.records },
    isLast,
    now,
  );
  const moved = await moveReceiver(webhook, event);
  if (!moved) {
    // The webhook was changed, its receiver answered another call, or the same message came twice.
    await sendLater(stepOf(webhook), 1);
    return 'repeated';
  }
  const next = openBacklog(moved);
  if (next) {
    await sendLater(stepOf(moved), (next.due - deps.now()) / 1000);
    return 'went on';
  }
  const { organization_id, webhook_id } = webhook;
  log.info('webhook caught up', { organization_id, webhook_id });
  return 'over';
}

/** What a step means for the receiver. */
async function eventOf(
  webhook: Webhook,
  backlog: Backlog,
  { cursor, isAll, arrived, failed, succeeded, sent, asked, tookMs }: Delivered & { tookMs: number },
  deps: DeliveryDeps,
): Promise<ReceiverEvent> {
  const now = deps.now();
  if (failed > arrived) {
    const waitMs = Math.max(waitAfterFailure(webhook, now), Math.min(asked, longestRetryAfterSeconds) * 1000);
    return { type: 'stepFailed', now, cursor, due: now + waitMs * (1 + jitter * deps.random()) };
  }
  const step = { now, cursor, arrived: succeeded > 0 };
  const end = backlog.until !== undefined && ulidFloor(backlog.until);
  if (isAll && cursor === end) return { type: 'backlogDone', ...step };
  // If the backlog grows faster than it is delivered, its end is set at once: later records are delivered beside it.
  const isSlow =
    tookMs > newAttemptsForMs &&
    backlog.failed_steps === 0 &&
    deliveredUntil({ cursor }) - deliveredUntil(backlog) < 2 * tookMs;
  const { until = isAll || isSlow ? now + endAheadMs : undefined } = backlog;
  const readable = isAll ? Math.min(now + stepEveryMs, until! + readAfterMs) : now;
  const due = Math.max(readable, await freeAt(webhook, sent, now));
  return { type: 'stepDone', ...step, due, until };
}

/** From when on a receiver that was sent some events takes more. */
async function freeAt(webhook: Webhook, sent: number, now: number): Promise<number> {
  const { per_second } = webhook;
  if (per_second === undefined || sent === 0) return now;
  const times = await reserve(webhook, per_second, sent, now);
  return times.at(-1)! + 1000 / per_second;
}
