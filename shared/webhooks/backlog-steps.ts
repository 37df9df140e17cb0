/**
 * Runs the steps that deliver a webhook's backlog. While the receiver fails, steps send few events, at
 * growing intervals.
 */

import { ulidFloor } from '../ids.ts';
import { log } from '../log.ts';
import { get } from '../table/client.ts';
import { webhookKey } from '../table/webhook-keys.ts';
import type { DeliveryDeps } from './attempt.ts';
import { queueCheck } from './check-backlog.ts';
import { deliverBacklog, newAttemptsForMs, readAfterMs, type StepResult } from './deliver-backlog.ts';
import { type BacklogStep, type Received, sendLater } from './delivery-queue.ts';
import { reserveTimes } from './pace.ts';
import {
  type Backlog,
  deliveredUntil,
  failedForMs,
  isOff,
  maxFailureMs,
  openBacklog,
  type ReceiverEvent,
  waitAfterFailure,
} from './receiver.ts';
import { jitter, maxRetryAfterSeconds } from './retry-schedule.ts';
import { moveReceiver, stepOf } from './store-receiver.ts';
import { switchOff } from './switch-off.ts';
import { createdAt, type Webhook } from './webhooks.ts';

/** A backlog's end is set ten seconds ahead, so that all Lambda functions know the end in time despite clock skew. */
const endAheadMs = 10_000;
/** Milliseconds between steps that have reached the newest records and wait for the index to contain more. */
const stepEveryMs = 5_000;
// If a step is two minutes overdue, a crash prevented queueing its message. The previous step's message, which SQS
// redelivers, then queues the step.
const crashedAfterMs = 2 * 60_000;

/**
 * `early`: the step was not due. `repeated`: another writer changed the webhook, so the current step is
 * queued again.
 */
type StepVerdict = 'continued' | 'finished' | 'early' | 'repeated';

/** Runs the steps of several messages in parallel. Returns the completed messages; SQS must redeliver the others. */
export async function runSteps(
  messages: Received<BacklogStep>[],
  deps: DeliveryDeps,
): Promise<Set<Received<BacklogStep>>> {
  const settled = new Set<Received<BacklogStep>>();
  await Promise.all(
    messages.map(async (message) => {
      try {
        const verdict = await runStep(message, deps);
        log.info('backlog step', { ...message, verdict });
        settled.add(message);
      } catch (error) {
        log.failure('backlog step', error, { ...message, verdict: 'unsettled' });
      }
    }),
  );
  return settled;
}

/** Runs a message's step, then queues the next step. Throws if storing or queueing failed. */
async function runStep(message: Received<BacklogStep>, deps: DeliveryDeps): Promise<StepVerdict> {
  const webhook = await get<Webhook>(webhookKey(message.organization_id, message.webhook_id));
  if (!webhook || isOff(webhook)) return 'finished';
  const backlog = openBacklog(webhook);
  if (!backlog) return message.step === 0 ? fallBehind(webhook, deps) : 'finished';
  const stepsBehind = backlog.step - message.step;
  if (stepsBehind < 0 || stepsBehind > 1) return 'finished';
  const earlyMs = backlog.due + (stepsBehind === 1 ? crashedAfterMs : 0) - deps.now();
  if (earlyMs > 1000) {
    await sendLater(message, earlyMs / 1000);
    return 'early';
  }
  if (stepsBehind === 1) {
    await sendLater(stepOf(webhook), 0);
    return 'continued';
  }
  return deliverStep(webhook, backlog, message, deps);
}

async function fallBehind(webhook: Webhook, { now }: DeliveryDeps): Promise<StepVerdict> {
  const behindWebhook = await moveReceiver(webhook, {
    type: 'stillFailing',
    now: now(),
    created: createdAt(webhook),
  });
  if (!behindWebhook) return 'finished';
  const { organization_id, webhook_id, receiver } = behindWebhook;
  log.warn('webhook behind', { organization_id, webhook_id, failing_since: receiver!.failing_since });
  await sendLater(stepOf(behindWebhook), 0);
  return 'continued';
}

async function deliverStep(
  webhook: Webhook,
  backlog: Backlog,
  message: Received<BacklogStep>,
  deps: DeliveryDeps,
): Promise<StepVerdict> {
  const started = deps.now();
  const delivered = await deliverBacklog(webhook, backlog, message, deps);
  const now = deps.now();
  if (delivered.succeeded === 0 && delivered.sent > 0 && failedForMs(webhook, now) >= maxFailureMs) {
    await switchOff(webhook, now);
    return 'finished';
  }
  const event = await receiverEventOf(webhook, backlog, { ...delivered, tookMs: now - started }, deps);
  const isLast = event.type === 'backlogDone';
  await queueCheck(
    webhook,
    { from: backlog.cursor, to: delivered.cursor, records: delivered.records },
    isLast,
    now,
  );
  const moved = await moveReceiver(webhook, event);
  if (!moved) {
    // Another writer changed the webhook, or SQS delivered the message twice. Queues the stored step again.
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
async function receiverEventOf(
  webhook: Webhook,
  backlog: Backlog,
  { cursor, isAll, arrived, failed, succeeded, sent, requestedWait, tookMs }: StepResult & { tookMs: number },
  deps: DeliveryDeps,
): Promise<ReceiverEvent> {
  const now = deps.now();
  if (failed > arrived) {
    const waitMs = Math.max(
      waitAfterFailure(webhook, now),
      Math.min(requestedWait, maxRetryAfterSeconds) * 1000,
    );
    return { type: 'stepFailed', now, cursor, due: now + waitMs * (1 + jitter * deps.random()) };
  }
  const step = { now, cursor, arrived: succeeded > 0 };
  const end = backlog.until !== undefined && ulidFloor(backlog.until);
  if (isAll && cursor === end) return { type: 'backlogDone', ...step };
  // If the step was slow, ends the backlog ten seconds from now. The queue then delivers the events of later records
  // without waiting for the backlog.
  const isSlow =
    tookMs > newAttemptsForMs &&
    backlog.failed_steps === 0 &&
    deliveredUntil({ cursor }) - deliveredUntil(backlog) < 2 * tookMs;
  const { until = isAll || isSlow ? now + endAheadMs : undefined } = backlog;
  const readable = isAll ? Math.min(now + stepEveryMs, until! + readAfterMs) : now;
  const due = Math.max(readable, await nextFreeTime(webhook, sent, now));
  return { type: 'stepDone', ...step, due, until };
}

/** If the webhook has a limit per second, reserves times for the sent events. Returns when the next step may send. */
async function nextFreeTime(webhook: Webhook, sent: number, now: number): Promise<number> {
  const { per_second } = webhook;
  if (per_second === undefined || sent === 0) return now;
  const times = await reserveTimes(webhook, per_second, sent, now);
  return times.at(-1)! + 1000 / per_second;
}
