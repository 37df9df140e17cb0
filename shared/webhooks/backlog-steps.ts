/**
 * Runs the steps that deliver a webhook's backlog. Each step delivers some events, stores its progress and
 * queues the next step. While the receiver keeps failing, steps send only a few events, at growing intervals.
 */

import { ulidFloor } from '../ids.ts';
import { log } from '../log.ts';
import { get } from '../table/client.ts';
import { webhookKey } from '../table/webhook-keys.ts';
import type { DeliveryDeps } from './attempt.ts';
import { queueCheck } from './check-backlog.ts';
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

/**
 * A step sets a backlog's end 10 s in the future, so that all Lambda functions read the stored end before it
 * passes. 10 s is more than the skew between their clocks.
 */
const endAheadMs = 10_000;
/**
 * Milliseconds between steps that have delivered all indexed records and wait for the newest records to be
 * indexed.
 */
const stepEveryMs = 5_000;
// SQS can deliver a step's message again after the step's result was stored. The message then waits until two
// minutes after the due time of the next step. If the next step has not run by then, it is queued again,
// because a crash may have prevented the first run from queueing it.
const crashedAfterMs = 2 * 60_000;

/**
 * Result of a step message. `continued`: the next step is queued. `finished`: no next step is needed.
 * `early`: the step was not due, so its message is queued again. `repeated`: another writer changed the
 * webhook during the step, so the webhook's current step is queued again.
 */
export type StepVerdict = 'continued' | 'finished' | 'early' | 'repeated';

/**
 * Runs the steps of several messages in parallel. Returns the messages whose step was completed. SQS must
 * redeliver the other messages.
 */
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
 * Runs the step of one message: delivers events, stores the step's result, then queues the next step. The
 * caller may delete the message only after this function returns. If the step's result is already stored, an
 * earlier run may have crashed before it queued the next step. This function then queues the message again
 * until two minutes after the next step's due time. If the next step has not run by then, this function
 * queues the next step. Throws if storing or queueing failed.
 */
async function takeStep(message: Taken<BacklogStep>, deps: DeliveryDeps): Promise<StepVerdict> {
  const webhook = await get<Webhook>(webhookKey(message.organization_id, message.webhook_id));
  if (!webhook || isOff(webhook)) return 'finished';
  const backlog = openBacklog(webhook);
  if (!backlog) return message.step === 0 ? fallBehind(webhook, deps) : 'finished';
  const taken = backlog.step - message.step;
  if (taken < 0 || taken > 1) return 'finished';
  const early = backlog.due + (taken === 1 ? crashedAfterMs : 0) - deps.now();
  if (early > 1000) {
    await sendLater(message, early / 1000);
    return 'early';
  }
  if (taken === 1) {
    await sendLater(stepOf(webhook), 0);
    return 'continued';
  }
  return deliverStep(webhook, backlog, message, deps);
}

async function fallBehind(webhook: Webhook, { now }: DeliveryDeps): Promise<StepVerdict> {
  const fallen = await moveReceiver(webhook, {
    type: 'stillFailing',
    now: now(),
    created: createdAt(webhook),
  });
  if (!fallen) return 'finished';
  const { organization_id, webhook_id, receiver } = fallen;
  log.warn('webhook behind', { organization_id, webhook_id, failing_since: receiver!.failing_since });
  await sendLater(stepOf(fallen), 0);
  return 'continued';
}

async function deliverStep(
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
    return 'finished';
  }
  const event = await eventOf(webhook, backlog, { ...delivered, tookMs: now - started }, deps);
  const isLast = event.type === 'backlogDone';
  await queueCheck(
    webhook,
    { from: backlog.cursor, to: delivered.cursor, records: delivered.records },
    isLast,
    now,
  );
  const moved = await moveReceiver(webhook, event);
  if (!moved) {
    // The step's result was not stored, because another writer changed the webhook or SQS delivered this
    // message twice. Queues the webhook's current step again.
    await sendLater(stepOf(webhook), 1);
    return 'repeated';
  }
  const next = openBacklog(moved);
  if (next) {
    await sendLater(stepOf(moved), (next.due - deps.now()) / 1000);
    return 'continued';
  }
  const { organization_id, webhook_id } = webhook;
  log.info('webhook caught up', { organization_id, webhook_id });
  return 'finished';
}

/**
 * Translates a step's result into an event for the receiver's state machine: `stepFailed`, `stepDone` or
 * `backlogDone`.
 */
async function eventOf(
  webhook: Webhook,
  backlog: Backlog,
  { cursor, isAll, arrived, failed, succeeded, sent, requestedWait, tookMs }: Delivered & { tookMs: number },
  deps: DeliveryDeps,
): Promise<ReceiverEvent> {
  const now = deps.now();
  if (failed > arrived) {
    const waitMs = Math.max(
      waitAfterFailure(webhook, now),
      Math.min(requestedWait, longestRetryAfterSeconds) * 1000,
    );
    return { type: 'stepFailed', now, cursor, due: now + waitMs * (1 + jitter * deps.random()) };
  }
  const step = { now, cursor, arrived: succeeded > 0 };
  const end = backlog.until !== undefined && ulidFloor(backlog.until);
  if (isAll && cursor === end) return { type: 'backlogDone', ...step };
  // If new records arrive faster than the backlog is delivered, the backlog would never end. Its end is then
  // set to ten seconds from now, and the queue delivers the events of later records.
  const isSlow =
    tookMs > newAttemptsForMs &&
    backlog.failed_steps === 0 &&
    deliveredUntil({ cursor }) - deliveredUntil(backlog) < 2 * tookMs;
  const { until = isAll || isSlow ? now + endAheadMs : undefined } = backlog;
  const readable = isAll ? Math.min(now + stepEveryMs, until! + readAfterMs) : now;
  const due = Math.max(readable, await freeAt(webhook, sent, now));
  return { type: 'stepDone', ...step, due, until };
}

/**
 * Returns the time (epoch milliseconds) from which the next step may send events. If the webhook has a limit
 * per second, reserves one delivery time for each event that this step sent. The next step may start after
 * the last of these times.
 */
async function freeAt(webhook: Webhook, sent: number, now: number): Promise<number> {
  const { per_second } = webhook;
  if (per_second === undefined || sent === 0) return now;
  const times = await reserve(webhook, per_second, sent, now);
  return times.at(-1)! + 1000 / per_second;
}
