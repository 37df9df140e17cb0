/**
 * Catching up: telling a webhook that is behind what it was not told, in the order of the records, a step for each
 * message. While its receiver fails, steps ask with a few events, and come more and more rarely.
 */
import { log } from '../log.ts';
import { get } from '../table/client.ts';
import { webhookKey } from '../table/webhook-keys.ts';
import { fallBehind, moveOn, stepOf, toldUntil } from './behind.ts';
import { type DeliveryDeps, noteSigns } from './delivery.ts';
import { type CatchUp, sendLater } from './delivery-queue.ts';
import { reserve } from './pace.ts';
import type { Behind } from './receiver-state.ts';
import { jitter, longestRetryAfterSeconds } from './retry-schedule.ts';
import { inIndexAfterMs, newAttemptsForMs, type Told, tellFrom } from './waves.ts';
import type { Webhook } from './webhooks.ts';

/** How far ahead the end is noted, so that whoever publishes has read of it by then, by whatever clock. */
const noticeMs = 60_000;
// A step that was taken and whose next one is not queued yet may have broken off.
const brokenOffMs = 2 * 60_000;

const firstWaitSeconds = 5;
const longestWaitSeconds = 15 * 60;
/** By then what failed at the beginning is in the index: if there still is nothing to tell, nothing will be. */
const emptySteps = 8;

/** What became of a step: the next one is queued; there is none; it came too early; or another one came in between. */
export type StepVerdict = 'went on' | 'over' | 'early' | 'repeated';

/** Takes a step for each message, all at a time. Returns those that are settled; the others have to come again. */
export async function catchUpAll(messages: CatchUp[], deps: DeliveryDeps): Promise<Set<CatchUp>> {
  const settled = new Set<CatchUp>();
  await Promise.all(
    messages.map(async (message) => {
      try {
        const verdict = await takeStep(message, deps);
        log.info('catch-up step', { ...message, verdict });
        settled.add(message);
      } catch (error) {
        log.failure('catch-up step', error, { ...message, verdict: 'unsettled' });
      }
    }),
  );
  return settled;
}

/**
 * Takes the step of a message. How far it came is written before the next one is queued, and only then may the message be
 * taken off the queue: one that finds its step taken waits until the next one is taken too, or queues that once more.
 * Throws if it could not be written or queued.
 */
async function takeStep(message: CatchUp, deps: DeliveryDeps): Promise<StepVerdict> {
  const webhook = await get<Webhook>(webhookKey(message.organization_id, message.webhook_id));
  if (!webhook || webhook.disabled_at !== undefined) return 'over';
  const { behind } = webhook;
  if (!behind) return message.step === 0 ? begin(webhook, deps) : 'over';
  const taken = behind.step - message.step;
  if (taken < 0 || taken > 1) return 'over';
  const early = behind.due + (taken === 1 ? brokenOffMs : 0) - deps.now();
  if (early > 1000) {
    await sendLater(message, early / 1000);
    return 'early';
  }
  if (taken === 1) {
    await sendLater(stepOf(webhook), 0);
    return 'went on';
  }
  return goOn(webhook, behind, deps);
}

async function begin(webhook: Webhook, { now }: DeliveryDeps): Promise<StepVerdict> {
  const fallen = await fallBehind(webhook, now());
  if (!fallen) return 'over';
  const { organization_id, webhook_id, failing_since } = webhook;
  log.warn('webhook behind', { organization_id, webhook_id, failing_since });
  await sendLater(stepOf(fallen), 0);
  return 'went on';
}

async function goOn(webhook: Webhook, behind: Behind, deps: DeliveryDeps): Promise<StepVerdict> {
  const started = deps.now();
  const told = await tellFrom(webhook, behind, deps);
  await noteSigns(webhook, told.signs, deps.now());
  const next = await nextOf(webhook, behind, { ...told, tookMs: deps.now() - started }, deps);
  if (!(await moveOn(webhook, next))) {
    // By a change of the webhook, the same message once more, or events that were still on their way.
    await sendLater(stepOf(webhook), 1);
    return 'repeated';
  }
  if (next) {
    await sendLater(stepOf({ ...webhook, behind: next }), (next.due - deps.now()) / 1000);
    return 'went on';
  }
  const { organization_id, webhook_id } = webhook;
  log.info('webhook caught up', { organization_id, webhook_id });
  return 'over';
}

/** How the webhook is behind after a step; undefined if it is no more. */
async function nextOf(
  webhook: Webhook,
  behind: Behind,
  { at, isAll, arrived, failed, asked, signs, tookMs }: Told & { tookMs: number },
  { now, random }: DeliveryDeps,
): Promise<Behind | undefined> {
  const next = { ...behind, at, step: behind.step + 1 };
  const isEmpty = isAll && signs.length === 0;
  if (failed > arrived || (isEmpty && behind.vain > 0 && behind.vain < emptySteps)) {
    const usual = Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** behind.vain);
    const seconds = Math.max(usual, Math.min(asked, longestRetryAfterSeconds)) * (1 + jitter * random());
    return { ...next, vain: behind.vain + 1, due: now() + seconds * 1000 };
  }
  // So much comes that catching up would take longer than all that it has to tell took: what comes from now on is queued
  // beside.
  const isSlow =
    tookMs > newAttemptsForMs && behind.vain === 0 && toldUntil({ at }) - toldUntil(behind) < 2 * tookMs;
  const { until = isAll || isSlow ? now() + noticeMs : undefined } = behind;
  if (!isAll) return { ...next, vain: 0, until, due: await freeAt(webhook, signs.length, now()) };
  if (toldUntil({ at }) === until) return undefined;
  return { ...next, vain: 0, until, due: until! + inIndexAfterMs };
}

/** From when on a receiver that was sent some events takes more. */
async function freeAt(webhook: Webhook, sent: number, now: number): Promise<number> {
  const { per_second } = webhook;
  if (per_second === undefined || sent === 0) return now;
  const times = await reserve(webhook, per_second, sent, now);
  return times.at(-1)! + 1000 / per_second;
}
